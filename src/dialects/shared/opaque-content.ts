import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message, Role } from '../../canonical/model/message.ts'
import { type OpaquePart, type Part, OPAQUE_MESSAGE_KEY } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { getOwnValue, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { EncodeContext } from '../engine/encode-context.ts'

/** A part, tool or citation that the decoder of its dialect does not know. */
interface OpaqueContent {
  readonly dialect: string
  readonly value: Json
}

/** Returns the opaque value unchanged for its own dialect; for any other dialect it is omitted and reported. */
export function encodeOpaque(
  { dialect, value }: OpaqueContent,
  slot: string,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  // A value that is not an object is sent as received.
  if (dialect === slot) return value as JsonObject
  context.report('foreign-opaque', path)
  return undefined
}

/** Wraps a wire part in an opaque part, for a part that is unknown or not allowed in its message. */
export function createOpaquePart(dialect: string, value: Json): OpaquePart {
  return freezeOwned<OpaquePart>({ type: 'opaque', dialect, value })
}

/**
 * Returns a decoded part, frozen. A part that would be encoded as another type of wire part becomes opaque,
 * since it is not understood well enough. `made` is the encoding of the part.
 */
export function finishDecodedPart<T extends Part>(
  part: T,
  made: JsonObject | undefined,
  wire: JsonObject,
  dialect: string,
): T | OpaquePart {
  return made !== undefined && made['type'] === wire['type']
    ? freezeOwned(part)
    : createOpaquePart(dialect, wire)
}

/** Creates the message for a wire message that cannot be decoded: one opaque part contains it. */
export function createOpaqueMessage(
  dialect: string,
  role: Role,
  wire: Json,
  options: DecodeOptions,
): Message {
  const content: readonly Part[] = [{ type: 'opaque', dialect, value: { [OPAQUE_MESSAGE_KEY]: wire } }]
  return freezeOwned({ id: generateId('msg', options), role, content } as Message)
}

/** Returns the wire message that an opaque message of this dialect contains. */
export function getOpaqueMessage({ content }: Message, dialect: string): JsonObject | undefined {
  const only: Part | undefined = content.length === 1 ? content[0] : undefined
  return only?.type === 'opaque' && only.dialect === dialect && isObject(only.value)
    ? (getOwnValue(only.value, OPAQUE_MESSAGE_KEY) as JsonObject | undefined)
    : undefined
}
