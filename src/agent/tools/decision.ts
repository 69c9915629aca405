import { InterlinguaError } from '../../errors.ts'
import { describeType, isObject } from '../../wire/json.ts'

/**
 * What is to be done about a call: run it, refuse it (with a reason that the model is told), or take this output in place of
 * running it.
 */
export type Decision =
  | 'approve'
  | 'deny'
  | { readonly deny: string }
  | { readonly output: unknown; readonly isError?: boolean }

/** A decision that may come from anywhere: a word that is not known must not run a tool. */
export function parseDecision(given: unknown): Decision | undefined {
  if (given === undefined || given === 'approve' || given === 'deny') return given
  if (isObject(given) && typeof given['deny'] === 'string') return { deny: given['deny'] }
  if (isObject(given) && Object.hasOwn(given, 'output')) {
    return { output: given['output'], isError: given['isError'] === true }
  }
  throw new InterlinguaError('invalid-value', 'This is no decision about a call', {
    found: typeof given === 'string' ? 'another word' : describeType(given),
    expected: `'approve', 'deny', { deny: reason } or { output }`,
    hint: 'Nothing was run. Decide again.',
  })
}
