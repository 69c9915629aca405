import { InterlinguaError, ProviderError } from '../../errors.ts'

/** Returns an identifier of an error that is safe to show: its code, or the kind of a provider error. */
export function toPublicErrorCode(error: unknown): string | undefined {
  if (error instanceof ProviderError) return error.kind
  return error instanceof InterlinguaError ? error.code : undefined
}

/** Returns the default text for an error: messages may contain keys, addresses and text of other users. */
export function toPublicErrorText(error: unknown): string {
  const code = toPublicErrorCode(error)
  return code === undefined
    ? 'The response could not be completed.'
    : `The response could not be completed (${code}).`
}

/** Returns true for the error of an aborted call, which is not a failure. */
export function isAbortError(error: unknown): boolean {
  return toPublicErrorCode(error) === 'aborted' || (error instanceof Error && error.name === 'AbortError')
}
