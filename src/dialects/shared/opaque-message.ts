import type { Message } from '../../canonical/model/message.ts'
import { type Part, WIRE_MESSAGE_KEY } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { DialectName } from '../engine/dialect.ts'
import type { EncodeContext } from '../engine/encode-context.ts'

/** A part, tool or citation that its reader did not understand, and the format that it is of. */
interface OpaqueContent {
  readonly dialect: string
  readonly value: Json
}

/** Writes what nobody took apart: to its own format as it came, and to no other. */
export function encodeOpaque(
  { dialect, value }: OpaqueContent,
  slot: DialectName,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  // What came as something else than an object goes back as that.
  if (dialect === slot) return value as JsonObject
  context.report('foreign-opaque', path)
  return undefined
}

/** The content of a message that nobody could take apart: one opaque part that holds all of it. */
export function createOpaqueContent(dialect: string, wire: Json): readonly Part[] {
  return [{ type: 'opaque', dialect, value: { [WIRE_MESSAGE_KEY]: wire } }]
}

/** The wire message of this format that a message holds unread; undefined for any other message. */
export function getOpaqueMessage({ content }: Message, dialect: string): JsonObject | undefined {
  const only: Part | undefined = content.length === 1 ? content[0] : undefined
  if (only?.type !== 'opaque' || only.dialect !== dialect || !isObject(only.value)) return undefined
  return Object.hasOwn(only.value, WIRE_MESSAGE_KEY)
    ? (only.value[WIRE_MESSAGE_KEY] as JsonObject)
    : undefined
}
