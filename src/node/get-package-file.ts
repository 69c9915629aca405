import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/**
 * Returns the URL of a file of this package, such as `templates/dialect/index.js`. Modules are bundled, so the location of
 * a module does not tell where the package is.
 */
export function getPackageFile(path: string): URL {
  const manifest = createRequire(import.meta.url).resolve('interlingua/package.json')
  return new URL(path, pathToFileURL(manifest))
}
