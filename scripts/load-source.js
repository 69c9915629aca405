// @ts-check
// Imports modules that are no entries of the package, which the build does not contain as files.
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/**
 * Bundles a module of `src` with everything that it imports, and imports the bundle.
 * @param {string} path for example `providers/provider-table.ts`
 */
export async function loadSource(path) {
  const input = fileURLToPath(new URL(`../src/${path}`, import.meta.url))
  const build = await rolldown({ input, platform: 'node' })
  const {
    output: [{ code }],
  } = await build.generate({ codeSplitting: false })
  return import(`data:text/javascript,${encodeURIComponent(code)}`)
}
