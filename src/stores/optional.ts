import { InterlinguaError } from '../errors.ts'

/** Loads a package that only those need who use what needs it; says what to install where it is missing. */
export async function loadOptional<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    throw new InterlinguaError('missing-package', `The package ${name} is not installed`, {
      hint: `Install it: npm install ${name}`,
      cause,
    })
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}
