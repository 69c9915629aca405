import type { Message } from '../../canonical/model/message.ts'
import { OPAQUE_MESSAGE_KEY } from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { getOwnValue, isObject, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { ReadingContext } from './message-format.ts'

/** Returns a message of a kind that the canonical model does not have, kept as it is. */
export function keepWholeMessage(
  format: string,
  wire: JsonObject,
  path: Path,
  context: ReadingContext,
): Message {
  const part = { type: 'opaque', dialect: format, value: { [OPAQUE_MESSAGE_KEY]: wire } } as const
  return checkAndFreezeMessage({ id: context.messageId(), role: 'user', content: [part] }, path)
}

/** Returns the wire message that {@link keepWholeMessage} kept; undefined for any other message. */
export function getWholeMessage({ content }: Message, format: string): JsonObject | undefined {
  const [only] = content
  if (content.length !== 1 || only?.type !== 'opaque' || only.dialect !== format || !isObject(only.value))
    return undefined
  const raw = getOwnValue(only.value, OPAQUE_MESSAGE_KEY)
  return isObject(raw) ? (raw as JsonObject) : undefined
}
