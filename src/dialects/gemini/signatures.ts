import { sign } from '../../canonical/build/parts.ts'
import type { Part } from '../../canonical/model/part.ts'
import { signatureHolds } from '../../canonical/read/digest.ts'
import type { JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { MAKER, PLACEHOLDER, SLOT } from './codes.ts'
import { isBeforeThree } from './models.ts'
import type { Read, Reading, Writing } from './parts.ts'
import type { Wire } from './spelling.ts'
import { isOwnCall } from '../shared/own-calls.ts'
import { hintsIn } from '../unit.ts'

/** The part with its signature; without one, the hint by which it may go out unsigned. */
export function decodeSignature({ part, hints = {} }: Read, wire: Wire, { leads }: Reading): Required<Read> {
  const { thoughtSignature: value } = wire
  const isCall = isOwnCall(part)
  const placed = value === PLACEHOLDER && isCall && leads === true
  if (typeof value === 'string' && value !== '' && !placed)
    return { part: sign(part, { vendor: MAKER, value }), hints }
  const bare = part.type === 'reasoning' || (isCall && leads === true)
  const form = placed ? { placeholderSignature: true } : bare && { missingSignature: true }
  return { part, hints: hintsIn(SLOT, { ...hints, ...form }) }
}

/** A signature goes back to its maker, with what it vouches for. The first call of an answer must have one. */
export function encodeSignature(part: Part, made: JsonObject, writing: Writing): string | undefined {
  const { hints, at, encoding, place, leads, adrift } = writing
  const { signature } = part
  if (signature?.vendor === MAKER && signatureHolds(part)) return signature.value
  if (signature !== undefined) {
    const rule = signature.vendor === MAKER ? 'stale-signature' : 'foreign-signature'
    encoding.lose(rule, below(at, 'signature'))
  }
  const found = signature === undefined && Object.hasOwn(made, 'functionCall') ? adrift?.shift() : undefined
  if (found !== undefined) return found
  const isNeeded =
    (place === 'assistant' || hints['placeholderSignature'] === true) &&
    leads &&
    Object.hasOwn(made, 'functionCall')
  if (isNeeded && hints['placeholderSignature'] === true) return PLACEHOLDER
  if (!isNeeded || hints['missingSignature'] === true || isBeforeThree(encoding.options.model))
    return undefined
  encoding.lose('signature-placeholder', below(at, 'signature'))
  return PLACEHOLDER
}

/** Whether a part has a signature of this provider that still vouches for it. */
export function carries(part: Part): boolean {
  return part.signature?.vendor === MAKER && signatureHolds(part)
}
