import { RunError } from '../agent/errors.ts'
import { InterlinguaError, ProviderError } from '../errors.ts'
import { Exit, type ExitName } from './exit-codes.ts'
import { oneLine } from './paint.ts'

/** Faults of the input, by code; every other code of ours is a failure. */
const OF_INPUT: ReadonlySet<string> = new Set([
  'invalid-type',
  'invalid-value',
  'missing-field',
  'unexpected-field',
  'unknown-part-type',
  'unknown-role',
  'part-not-allowed',
  'not-json',
  'too-deep',
  'wrong-kind',
  'unsupported-version',
  'unreadable-file',
  'line-too-long',
  'event-too-large',
  'stream-too-large',
  'arguments-too-large',
  'stream-cut',
  'stream-broken',
  'invalid-stream',
  'unknown-id',
  'unknown-session',
])

/** What an error means for the exit code. */
export function exitOf(error: unknown): ExitName {
  if (error instanceof Exit) return error.exit
  // A run fails by what its model or its store did.
  if (error instanceof RunError) return exitOf(error.cause)
  if (error instanceof ProviderError) return 'provider'
  if (!(error instanceof InterlinguaError)) return 'failed'
  if (error.code === 'loss-refused') return 'loss'
  if (error.code === 'damaged') return 'broken'
  return OF_INPUT.has(error.code) ? 'input' : 'failed'
}

/** An error in words, on one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  return oneLine(error.message === '' ? error.name : error.message, 1000)
}

/** What to do about it, where that is known. */
export function hintOf(error: unknown): string | undefined {
  return error instanceof InterlinguaError ? error.hint : undefined
}

/** An error as data. */
export function failureJson(error: unknown): { readonly [key: string]: unknown } {
  return error instanceof InterlinguaError
    ? error.toJSON()
    : { message: reasonOf(error).replace(/^error: /, '') }
}
