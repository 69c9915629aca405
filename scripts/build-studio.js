// @ts-check
// Builds the page of the studio into dist/studio/page, or the folder that is given, and prints its weight. Fails if it exceeds
// the limit.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { marked } from 'marked'
import { build } from 'vite'

/** The limit of scripts and styles of the page itself, compressed. */
const MAX_KIB = 200

/** The limit of the library that a worker loads for the lens, compressed. */
const MAX_WORKER_KIB = 400

const page = fileURLToPath(new URL('../src/studio/page', import.meta.url))
const [target = fileURLToPath(new URL('../dist/studio/page', import.meta.url))] = process.argv.slice(2)

// A busy machine is not a fault of a plugin.
const rolldownOptions = { checks: { pluginTimings: false } }

/**
 * The scripts of the worker by file name, with the entry that each belongs to and what it imports.
 * @type {Map<string, { readonly imports: readonly string[], readonly entry: string }>}
 */
const workerScripts = new Map()

/** Notes the scripts of the worker, which are built apart from those of the page. @type {import('vite').Plugin} */
const noteScripts = {
  name: 'note-worker-scripts',
  generateBundle(_options, bundle) {
    for (const script of Object.values(bundle)) {
      if (script.type !== 'chunk') continue
      const { fileName, imports, facadeModuleId } = script
      workerScripts.set(fileName, { imports, entry: basename(facadeModuleId ?? '') })
    }
  },
}

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
  // Scripts that only one view needs are loaded by it alone.
  worker: { format: 'es', plugins: () => [noteScripts], rolldownOptions },
})

const names = await readdir(`${target}/assets`)
await writeRulesPage()

const sizes = new Map(
  await Promise.all(
    names
      .filter((name) => /\.(js|css)$/.test(name))
      .map(async (name) => {
        const size = gzipSync(await readFile(`${target}/assets/${name}`)).length
        return /** @type {[string, number]} */ ([`assets/${name}`, size])
      }),
  ),
)

/** @param {Iterable<string>} files */
const sumKib = (files) => [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0) / 1024

/** Returns the scripts of the worker that entries load, with all that they import. @param {readonly string[]} entries */
function listScripts(...entries) {
  /** @type {Set<string>} */
  const found = new Set()
  const open = [...workerScripts].filter(([, { entry }]) => entries.includes(entry)).map(([file]) => file)
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue
    found.add(file)
    open.push(...(workerScripts.get(file)?.imports ?? []))
  }
  return found
}

const own = sumKib([...sizes.keys()].filter((file) => !workerScripts.has(file)))
const lens = sumKib(listScripts('lens-worker.ts', 'lens-session.ts'))
const streams = sumKib(listScripts('lens-worker.ts', 'build-playback.ts'))
const all = sumKib(workerScripts.keys())
console.log(`studio page: ${own.toFixed(1)} KiB of script and style, compressed (limit: ${MAX_KIB} KiB)`)
console.log(`first view of the lens: ${lens.toFixed(1)} KiB more, in a worker (limit: ${MAX_WORKER_KIB} KiB)`)
console.log(
  `first view of streams: ${streams.toFixed(1)} KiB more, in the same worker; both: ${all.toFixed(1)} KiB`,
)
if (own > MAX_KIB || lens > MAX_WORKER_KIB) process.exitCode = 1

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
