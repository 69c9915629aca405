import type { OpaquePart, Part } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { DialectName } from '../engine/dialect.ts'

/** Wraps a wire part in an opaque part, for a part that is unknown or not allowed in its message. */
export function createOpaquePart(dialect: DialectName, value: Json): OpaquePart {
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
  dialect: DialectName,
): T | OpaquePart {
  return made !== undefined && made['type'] === wire['type']
    ? freezeOwned(part)
    : createOpaquePart(dialect, wire)
}
