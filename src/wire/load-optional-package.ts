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
