import { toTypedError } from '../../../wire/internal-error.ts'
import { omitUndefined } from '../../../wire/json.ts'
import type { LensError } from './lens-analysis.ts'

/** Returns an error as plain data, which a worker can send. */
export function toLensError(error: unknown): LensError {
  const { code, message, path, found, expected, hint } = toTypedError(error)
  return { code, message, ...omitUndefined({ path, found, expected, hint }) }
}
