// @ts-check
// Bundles programs with the packed package as applications do, minified, with four bundlers: none of them may need more
// than a tenth more than another one, or what one of them cannot remove is in every application that uses it.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build as buildWithVite } from 'vite'
import { check } from '../check-consumers.js'

/** @typedef {(program: string, folder: string) => Promise<string>} Bundler Returns the path of the bundle. */

const MAX_RATIO = 1.1

/** Programs of applications; each keeps what it imports. @type {Readonly<Record<string, string>>} */
const PROGRAMS = {
  translate: `import { translateRequest } from 'interlingua'\nconsole.log(translateRequest)`,
  'one provider': `import { anthropic } from 'interlingua/providers'\nconsole.log(anthropic)`,
  'three providers and an agent': `import { Agent } from 'interlingua/agent'
import { anthropic, gemini, openai } from 'interlingua/providers'
console.log(Agent, anthropic, gemini, openai)`,
}

/**
 * @param {string} tools
 * @param {string} consumers
 * @returns {Readonly<Record<string, Bundler>>}
 */
function createBundlers(tools, consumers) {
  const requireTool = createRequire(join(tools, 'package.json'))
  const requireConsumer = createRequire(join(consumers, 'package.json'))
  const chunk = 'bundle.js'
  return {
    async esbuild(program, folder) {
      const outfile = join(folder, chunk)
      const options = { platform: 'browser', format: 'esm', bundle: true, minify: true, logLevel: 'silent' }
      await requireConsumer('esbuild').build({ entryPoints: [program], outfile, ...options })
      return outfile
    },
    async Rollup(program, folder) {
      const { nodeResolve } = requireTool('@rollup/plugin-node-resolve')
      const terser = requireTool('@rollup/plugin-terser')
      const plugins = [nodeResolve({ browser: true })]
      const bundle = await requireTool('rollup').rollup({ input: program, plugins, logLevel: 'silent' })
      const file = join(folder, chunk)
      await bundle.write({ file, inlineDynamicImports: true, plugins: [terser()] })
      await bundle.close()
      return file
    },
    async webpack(program, folder) {
      const webpack = requireTool('webpack')
      const stats = await promisify(webpack)({
        mode: 'production',
        entry: program,
        context: folder,
        output: { path: folder, filename: chunk },
        plugins: [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
        performance: false,
      })
      if (stats.hasErrors()) throw new Error(stats.toString('errors-only'))
      return join(folder, chunk)
    },
    async Vite(program, folder) {
      await buildWithVite({
        configFile: false,
        logLevel: 'silent',
        root: folder,
        build: {
          outDir: folder,
          emptyOutDir: false,
          modulePreload: false,
          rolldownOptions: { input: program, output: { entryFileNames: chunk, codeSplitting: false } },
        },
      })
      return join(folder, chunk)
    },
  }
}

/**
 * Compares the compressed sizes of the bundles of each program.
 * @param {string} scratch The folder in which the package is installed.
 * @param {string} tools
 * @param {string} consumers
 */
export async function checkBundlers(scratch, tools, consumers) {
  const bundlers = Object.entries(createBundlers(tools, consumers))
  const checks = []
  for (const [name, code] of Object.entries(PROGRAMS)) {
    let sizes = ''
    const result = await check(name, async () => {
      /** @type {number[]} */
      const kibs = []
      for (const [bundler, bundle] of bundlers) {
        const folder = join(scratch, `bundle-${bundler}-${name.replaceAll(' ', '-')}`)
        await mkdir(folder)
        const program = join(folder, 'program.js')
        await writeFile(program, code)
        const kib = gzipSync(await readFile(await bundle(program, folder))).length / 1024
        kibs.push(kib)
        sizes += `${sizes && ', '}${bundler} ${kib.toFixed(1)} KiB`
      }
      const ratio = Math.max(...kibs) / Math.min(...kibs)
      if (ratio > MAX_RATIO) throw new Error(`the sizes differ by a factor of ${ratio.toFixed(2)}: ${sizes}`)
    })
    checks.push({ ...result, name: `bundle of ${name}: ${sizes}` })
  }
  return checks
}
