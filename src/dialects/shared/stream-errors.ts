import { InterlinguaError } from '../../errors.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'

/** The error that a payload of a stream tells: both formats put it below `error`, with a message. */
export function readError(wire: Json): InterlinguaError | undefined {
  const error = isObject(wire) && wire['choices'] === undefined ? wire['error'] : undefined
  if (!isObject(error)) return undefined
  const { message, type } = error
  const said = typeof message === 'string' ? message : 'The provider broke off'
  return new InterlinguaError('stream-broken', said, {
    found: typeof type === 'string' ? type : 'an error event',
    expected: 'more of the answer',
    retryable: true,
  })
}

/** An error as the object that both formats put below `error`. */
export function writeError(error: InterlinguaError): JsonObject {
  return { type: error.found ?? error.code, message: error.message }
}
