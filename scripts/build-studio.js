// @ts-check
// Builds the page of the studio into dist/studio/page, and prints its weight. Fails if it exceeds the limit.
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

/** The limit of scripts and styles, compressed. */
const MAX_KIB = 200

const page = fileURLToPath(new URL('../src/studio/page', import.meta.url))
const target = fileURLToPath(new URL('../dist/studio/page', import.meta.url))

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
  },
})

const names = await readdir(`${target}/assets`)
const sizes = await Promise.all(
  names
    .filter((name) => /\.(js|css)$/.test(name))
    .map(async (name) => gzipSync(await readFile(`${target}/assets/${name}`)).length),
)
const kib = sizes.reduce((sum, size) => sum + size, 0) / 1024
console.log(`studio page: ${kib.toFixed(1)} KiB of script and style, compressed (limit: ${MAX_KIB} KiB)`)
if (kib > MAX_KIB) process.exitCode = 1
