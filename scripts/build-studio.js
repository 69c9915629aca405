// @ts-check
// Builds the page of the studio into dist/studio/page, or the folder that is given, and prints its weight. Fails if it exceeds
// the limit.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { marked } from 'marked'
import { build } from 'vite'

/** The limit of scripts and styles of the page itself, compressed. */
const MAX_KIB = 200

/** The limit of the library, which a worker loads when a view needs it, compressed. */
const MAX_WORKER_KIB = 400

const page = fileURLToPath(new URL('../src/studio/page', import.meta.url))
const [target = fileURLToPath(new URL('../dist/studio/page', import.meta.url))] = process.argv.slice(2)

// A busy machine is not a fault of a plugin.
const rolldownOptions = { checks: { pluginTimings: false } }

await build({
  root: page,
  configFile: false,
  logLevel: 'warn',
  base: './',
  build: {
    outDir: target,
    emptyOutDir: true,
    target: 'es2023',
    // Data URLs of scripts and styles would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rolldownOptions,
  },
  worker: { rolldownOptions },
})

const names = await readdir(`${target}/assets`)
await writeRulesPage()

const files = await Promise.all(
  names
    .filter((name) => /\.(js|css)$/.test(name))
    .map(async (name) => ({ name, size: gzipSync(await readFile(`${target}/assets/${name}`)).length })),
)
/** @param {boolean} isWorker */
const sumKib = (isWorker) =>
  files.filter(({ name }) => name.includes('worker') === isWorker).reduce((sum, { size }) => sum + size, 0) /
  1024
const own = sumKib(false)
const worker = sumKib(true)
console.log(`studio page: ${own.toFixed(1)} KiB of script and style, compressed (limit: ${MAX_KIB} KiB)`)
console.log(`library in a worker: ${worker.toFixed(1)} KiB, compressed (limit: ${MAX_WORKER_KIB} KiB)`)
console.log(`together, once the lens or a stream is open: ${(own + worker).toFixed(1)} KiB`)
if (own > MAX_KIB || worker > MAX_WORKER_KIB) process.exitCode = 1

/** Writes the reference of all loss rules, to which the lens links: each rule has its name as an anchor. */
async function writeRulesPage() {
  const text = await readFile(new URL('../docs/reference/losses.md', import.meta.url), 'utf8')
  const html = await marked.parse(text)
  const body = html.replaceAll(/<tr>(\s*<td><code>)([\w-]+)(?=<\/code>)/g, '<tr id="$2">$1$2')
  const style = names.find((name) => name.endsWith('.css'))
  await writeFile(
    `${target}/losses.html`,
    `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Losses: interlingua studio</title>
    <link rel="stylesheet" href="./assets/${style}" />
  </head>
  <body>
    <main class="rules-page">${body}</main>
  </body>
</html>
`,
  )
}
