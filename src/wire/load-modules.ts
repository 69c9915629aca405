import { InterlinguaError } from '../errors.ts'

/**
 * Imports an optional package; if it is missing, the error contains the install command.
 *
 * @example
 * const { Pool } = await loadOptionalPackage('pg', () => import('pg'))
 */
export async function loadOptionalPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if (!isMissingModule(cause)) throw cause
    throw new InterlinguaError('missing-package', `The package ${name} is not installed`, {
      hint: `Install the package: npm install ${name}`,
      cause,
    })
  }
}

function isMissingModule(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // Some loaders wrap the runtime's error.
  return ('code' in error && error.code === 'ERR_MODULE_NOT_FOUND') || isMissingModule(error.cause)
}

/**
 * Returns a built-in module of Node, or undefined in runtimes without it. Unlike an import, it is invisible to bundlers, so
 * the code that calls it also runs in browsers.
 *
 * @example
 * getBuiltinModule<typeof fileModule>('node:fs')?.readFileSync(path)
 */
export function getBuiltinModule<T>(name: `node:${string}`): T | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }
  return process?.getBuiltinModule?.(name) as T | undefined
}
