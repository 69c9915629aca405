import { InterlinguaError } from '../errors.ts'

/**
 * Loads a package that only those need who use what needs it; says what to install where it is missing.
 *
 * @example
 * const { Pool } = await loadOptional('pg', () => import('pg'))
 */
export async function loadOptionalPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if (!isMissingModule(cause)) throw cause
    throw new InterlinguaError('missing-package', `The package ${name} is not installed`, {
      hint: `Install it: npm install ${name}`,
      cause,
    })
  }
}

function isMissingModule(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // Some loaders wrap the error of the platform.
  return ('code' in error && error.code === 'ERR_MODULE_NOT_FOUND') || isMissingModule(error.cause)
}
