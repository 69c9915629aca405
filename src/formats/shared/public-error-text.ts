import { InterlinguaError, ProviderError } from '../../errors.ts'

/** The words for an error's class that are safe to show: its code, and for a provider's error its kind. */
export function publicErrorCode(error: unknown): string | undefined {
  if (error instanceof ProviderError) return error.kind
  return error instanceof InterlinguaError ? error.code : undefined
}

/** What is said of an error unless the application says more: messages may hold keys, addresses and other people's text. */
export function publicErrorText(error: unknown): string {
  const code = publicErrorCode(error)
  return code === undefined
    ? 'The answer could not be completed.'
    : `The answer could not be completed (${code}).`
}

/** Whether an error says that somebody gave up waiting: that is no failure. */
export function isAbortError(error: unknown): boolean {
  return publicErrorCode(error) === 'aborted' || (error instanceof Error && error.name === 'AbortError')
}
