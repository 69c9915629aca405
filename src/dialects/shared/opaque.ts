import type { Json, JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/pointer.ts'
import type { DialectName } from '../dialect.ts'
import type { Encoding } from '../encoding.ts'

/** A part, tool or citation that its reader did not understand, and the format that it is of. */
interface Opaque {
  readonly dialect: string
  readonly value: Json
}

/** Writes what nobody took apart: to its own format as it came, and to no other. */
export function encodeOpaque(
  { dialect, value }: Opaque,
  slot: DialectName,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject | undefined {
  // What came as something else than an object goes back as that.
  if (dialect === slot) return value as JsonObject
  encoding.lose('foreign-opaque', at)
  return undefined
}
