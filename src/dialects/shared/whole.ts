import type { Message } from '../../canonical/model/message.ts'
import { type Part, WIRE_MESSAGE_KEY } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'

/** The content of a message that nobody could take apart: one opaque part that holds all of it. */
export function wholeContent(dialect: string, wire: Json): readonly Part[] {
  return [{ type: 'opaque', dialect, value: { [WIRE_MESSAGE_KEY]: wire } }]
}

/** The wire message of this format that a message holds unread; undefined for any other message. */
export function wholeMessage({ content }: Message, dialect: string): JsonObject | undefined {
  const only: Part | undefined = content.length === 1 ? content[0] : undefined
  if (only?.type !== 'opaque' || only.dialect !== dialect || !isObject(only.value)) return undefined
  return Object.hasOwn(only.value, WIRE_MESSAGE_KEY)
    ? (only.value[WIRE_MESSAGE_KEY] as JsonObject)
    : undefined
}
