import { isObject, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'

/** Marks a final assistant message as one to continue: the server refuses it without the mark. */
export function markPrefix(message: JsonObject, path: Path | undefined, context: EncodeContext): JsonObject {
  // A message that could not be decoded is sent as received, even if it is no object.
  if (!isObject(message) || message['role'] !== 'assistant' || message['prefix'] === true) return message
  context.report('answer-prefix', path)
  return { ...message, prefix: true }
}
