import { InterlinguaError } from '../../errors.ts'
import { describeType, isObject } from '../../wire/json.ts'

/** The decision about a tool call: run it, deny it (with a reason for the model), or use this output. */
export type Decision =
  | 'approve'
  | 'deny'
  | { readonly deny: string }
  | { readonly output: unknown; readonly isError?: boolean }

/** Validates a decision. It may be untrusted input, so an unknown value must not run a tool. */
export function parseDecision(value: unknown): Decision | undefined {
  if (value === undefined || value === 'approve' || value === 'deny') return value
  if (isObject(value) && typeof value['deny'] === 'string') return { deny: value['deny'] }
  if (isObject(value) && Object.hasOwn(value, 'output')) {
    return { output: value['output'], isError: value['isError'] === true }
  }
  throw new InterlinguaError('invalid-value', 'Invalid decision about a tool call', {
    found: typeof value === 'string' ? 'an unknown word' : describeType(value),
    expected: `'approve', 'deny', { deny: reason } or { output }`,
    hint: 'The tool was not run. Pass a valid decision.',
  })
}
