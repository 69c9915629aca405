import { InterlinguaError } from '../errors.ts'

/**
 * Prints an error: the default of `onError` where a client sees only the code of a failure, so that a missing key or a
 * broken storage is not a mystery on a server. The text contains no messages of the conversation.
 */
export function printError(error: unknown): void {
  // oxlint-disable-next-line no-console -- The error is not shown anywhere else.
  console.error(`[interlingua] ${describeError(error)}`)
}

function describeError(error: unknown): string {
  if (!(error instanceof InterlinguaError))
    return error instanceof Error ? String(error.stack) : String(error)
  const { code, message, hint } = error
  return `${message.replace(/\.$/, '')} (${code}).${hint === undefined ? '' : ` ${hint}`}`
}
