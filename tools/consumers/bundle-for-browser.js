// @ts-check
// `node bundle-for-browser.js <folder>` bundles the package that is installed in the folder for browsers, runs the
// bundle with web globals only, and prints its exported names.
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'

// Globals that browsers and server runtimes share; the globals of the language come with the context.
const webGlobals = `
  AbortController AbortSignal Blob CompressionStream crypto DecompressionStream DOMException Event EventTarget
  FormData Headers ReadableStream Request Response TextDecoder TextDecoderStream TextEncoder TextEncoderStream
  TransformStream URL URLSearchParams WritableStream atob btoa clearInterval clearTimeout console fetch
  performance queueMicrotask setInterval setTimeout structuredClone`

const { outputFiles, metafile, warnings } = await build({
  stdin: { contents: `export * from 'interlingua'`, resolveDir: process.argv[2] ?? '.' },
  bundle: true,
  platform: 'browser',
  format: 'iife',
  globalName: 'bundle',
  write: false,
  metafile: true,
})

// esbuild leaves a guarded require or a caught import('node:…') in the bundle; no browser can run it.
const outside = Object.values(metafile.inputs).flatMap(({ imports }) =>
  imports.filter(({ external }) => external),
)
if (warnings.length > 0 || outside.length > 0) {
  throw new Error(`not self-contained: ${JSON.stringify({ warnings, outside }, undefined, 2)}`)
}

const names = webGlobals.trim().split(/\s+/)
const context = createContext(Object.fromEntries(names.map((name) => [name, Reflect.get(globalThis, name)])))
runInContext('globalThis.self = globalThis.window = globalThis', context)
for (const { text } of outputFiles) runInContext(text, context, { timeout: 30_000 })
console.log(runInContext('JSON.stringify(Object.keys(bundle).sort())', context))
