import { attachSignature } from '../../canonical/build/parts.ts'
import type { Part } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { getOwnValue, isEmptyObject, isObject, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { OWN_KEY } from './constants.ts'

/** Returns the fields that AG-UI lacks, which are metadata of a part, a call or a message. */
export function readOwnFields({ metadata }: JsonObject): JsonObject {
  const own = isObject(metadata) ? getOwnValue(metadata, OWN_KEY) : undefined
  return isObject(own) ? (own as JsonObject) : {}
}

/** Returns own fields as metadata; without fields there is no metadata. */
export function wrapOwnFields(fields: JsonObject): { readonly metadata?: JsonObject } {
  return isEmptyObject(fields) ? {} : { metadata: { [OWN_KEY]: fields } }
}

/** Signs a part with `encryptedValue`. Without the vendor, which is an own field, the value stays residue of the format. */
export function signPart<T extends Part>(part: T, wire: JsonObject): T {
  const { vendor } = readOwnFields(wire)
  const { encryptedValue: value } = wire
  return typeof vendor === 'string' && typeof value === 'string'
    ? attachSignature(part, { vendor, value })
    : part
}

/** Writes the signature of a part with its own fields: the value, and the vendor as metadata. */
export function writeSignedFields(
  part: Part,
  fields: JsonObject,
  path: Path | undefined,
  report: FormatReporter,
): { readonly encryptedValue?: string; readonly metadata?: JsonObject } {
  if (part.signature === undefined) return wrapOwnFields(fields)
  const { vendor, value } = part.signature
  if (!isSignatureValid(part)) {
    report.add('stale-signature', child(path, 'signature'))
    return wrapOwnFields(fields)
  }
  return { encryptedValue: value, ...wrapOwnFields({ ...fields, vendor }) }
}

/** Returns the metadata of a message as data of the application; undefined if it is no object or has no fields. */
export function readMetadata({ metadata }: JsonObject): JsonObject | undefined {
  return isObject(metadata) && !isEmptyObject(metadata) ? metadata : undefined
}
