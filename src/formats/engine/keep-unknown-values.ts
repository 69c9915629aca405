import type { HasExtra } from '../../canonical/model/extra.ts'
import type { Message } from '../../canonical/model/message.ts'
import { OPAQUE_MESSAGE_KEY, type OpaquePart, type Part } from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { checkAndFreezePart, partTypesByContainer } from '../../canonical/shape/part.ts'
import { isTimestamp } from '../../canonical/shape/shape.ts'
import { getOwnValue, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { ReadingContext } from './message-format.ts'

/** Returns a part that keeps a wire value of unknown type, for the writer of the same format. */
export function keepPart(format: string, value: Json, path: Path): OpaquePart {
  return checkAndFreezePart({ type: 'opaque', dialect: format, value }, path)
}

/**
 * Returns the part, or a part that keeps the wire value if a message of the role cannot contain the part. A role that does not
 * exist, which a reader may pass before it checks the message, is refused with the message.
 */
export function keepIfMisplaced(
  part: Part,
  role: Message['role'],
  format: string,
  wire: Json,
  path: Path,
): Part {
  const isUnknown = !Object.hasOwn(partTypesByContainer, role)
  return isUnknown || partTypesByContainer[role].includes(part.type) ? part : keepPart(format, wire, path)
}

/** Returns a message that keeps a wire message of a role that the canonical model does not have. */
export function keepMessage(format: string, wire: JsonObject, path: Path, context: ReadingContext): Message {
  const part = { type: 'opaque', dialect: format, value: { [OPAQUE_MESSAGE_KEY]: wire } } as const
  return checkAndFreezeMessage({ id: context.messageId(), role: 'user', content: [part] }, path)
}

/** Returns the wire message that {@link keepMessage} kept; undefined for any other message. */
export function getKeptMessage({ content }: Message, format: string): JsonObject | undefined {
  const [only] = content
  if (content.length !== 1 || only?.type !== 'opaque' || only.dialect !== format || !isObject(only.value))
    return undefined
  const raw = getOwnValue(only.value, OPAQUE_MESSAGE_KEY)
  return isObject(raw) ? (raw as JsonObject) : undefined
}

/** Returns true for a unit with residue of a slot: its writer restores the form that was read. */
export function isReadFrom({ extra }: HasExtra, slot: string): boolean {
  return extra !== undefined && Object.hasOwn(extra, slot)
}

/** Returns a value that is a time in ISO 8601; undefined for any other one, which stays in the residue. */
export function readTimestamp(value: Json | undefined): string | undefined {
  return typeof value === 'string' && isTimestamp(value) ? value : undefined
}
