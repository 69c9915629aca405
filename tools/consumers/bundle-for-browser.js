// @ts-check
// `node bundle-for-browser.js <folder>` bundles programs with the package that is installed in the folder for browsers,
// checks what the bundles contain, runs one with web globals only, and prints its exported names.
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'

// Globals that browsers and server runtimes share; the globals of the language come with the context.
const webGlobals = `
  AbortController AbortSignal Blob CompressionStream crypto DecompressionStream DOMException Event EventTarget
  FormData Headers ReadableStream Request Response TextDecoder TextDecoderStream TextEncoder TextEncoderStream
  TransformStream URL URLSearchParams WritableStream atob btoa clearInterval clearTimeout console fetch
  performance queueMicrotask setInterval setTimeout structuredClone`

/**
 * Bundles a program. Throws if the bundle is not self-contained: esbuild leaves a guarded require or a caught
 * import('node:…') in it, and no browser can run that.
 * @param {string} contents
 */
async function bundle(contents) {
  const { outputFiles, metafile, warnings } = await build({
    stdin: { contents, resolveDir: process.argv[2] ?? '.' },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'bundle',
    write: false,
    metafile: true,
  })
  const inputs = Object.values(metafile.inputs)
  const outside = inputs.flatMap(({ imports }) => imports.filter(({ external }) => external))
  if (warnings.length > 0 || outside.length > 0)
    throw new Error(`not self-contained: ${contents}\n${JSON.stringify({ warnings, outside }, undefined, 2)}`)
  const used = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  const files = used.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file)
  return { text: outputFiles.map(({ text }) => text).join('\n'), files }
}

/** Programs, and the dialects that their bundles contain. @type {[program: string, dialects: string[]][]} */
const programs = [
  [`export { anthropic } from 'interlingua/providers'`, ['anthropic']],
  [`export { anthropicDialect } from 'interlingua/dialects/anthropic'`, ['anthropic']],
  [`export { keepLast, memoryStorage } from 'interlingua/stores'`, []],
]
const SHARED_BY_DIALECTS = ['core', 'engine', 'shared']

for (const [program, expected] of programs) {
  const { files } = await bundle(program)
  const dialects = files
    .flatMap((file) => /chunks\/dialects-([a-z-]+)\.js$/.exec(file)?.[1] ?? [])
    .filter((name) => !SHARED_BY_DIALECTS.includes(name))
  if (dialects.join() !== expected.join())
    throw new Error(`${program}: the bundle contains [${dialects.join()}] instead of [${expected.join()}]`)
}

const names = webGlobals.trim().split(/\s+/)
const context = createContext(Object.fromEntries(names.map((name) => [name, Reflect.get(globalThis, name)])))
runInContext('globalThis.self = globalThis.window = globalThis', context)
const { text } = await bundle(`export * from 'interlingua'`)
runInContext(text, context, { timeout: 30_000 })
console.log(runInContext('JSON.stringify(Object.keys(bundle).sort())', context))
