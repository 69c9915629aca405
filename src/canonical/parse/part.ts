import { describe, isObject, ownValue } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { text } from '../build/parts.ts'
import type { Part, PartType } from '../model/part.ts'
import { partShapes } from '../shape/part.ts'
import { fail, quote, type Read, type Reading, type Spare } from '../shape/shape.ts'
import { callTypes, readCall } from './call.ts'
import { mediaForms, readMedia } from './media.ts'
import { picker } from './picker.ts'
import { readResult, resultTypes } from './result.ts'

/** Other names of the part types that differ from ours in nothing else. */
const otherNames: ReadonlyMap<unknown, PartType> = new Map([
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['thinking', 'reasoning'],
])

/** Reads a part in our form, or in one of those that others store. */
export const readPart: Read<Part> = (value, at, reading, spare) => {
  if (typeof value === 'string') return text(value)
  if (!isObject(value)) return fail('invalid-type', at, describe(value), 'a part: an object or a string')
  const part = withCache(value, at)
  const type = ownValue(part, 'type') ?? 'text'
  if (callTypes.has(type)) return readCall(part, at, reading, spare)
  if (resultTypes.has(type)) return readResult(part, at, reading, spare)
  const media = isObject(ownValue(part, 'source')) ? undefined : mediaForms.get(type)
  if (media !== undefined) return readMedia(part, media, at, reading, spare)
  return readByType(part, type, at, reading, spare)
}

function readByType(
  part: { readonly [key: string]: unknown },
  type: unknown,
  at: Path | undefined,
  reading: Reading,
  spare: Spare,
): Part {
  const ours = otherNames.get(type) ?? type
  if (typeof ours !== 'string' || !Object.hasOwn(partShapes, ours)) {
    const known = [...Object.keys(partShapes), ...mediaForms.keys(), ...otherNames.keys()].join(', ')
    return fail('unknown-part-type', below(at, 'type'), quote(type), `one of ${known}`)
  }
  return partShapes[ours as PartType].read({ ...part, type: ours }, at, reading, spare)
}

const lifetimes: ReadonlyMap<unknown, { readonly ttl: 'short' | 'long' }> = new Map([
  ['5m', { ttl: 'short' }],
  ['1h', { ttl: 'long' }],
])

/** `cache_control`, as it is stored beside a part, is our `cache`. */
function withCache(
  part: { readonly [key: string]: unknown },
  at: Path | undefined,
): { readonly [key: string]: unknown } {
  const control = ownValue(part, 'cache_control')
  if (!isObject(control) || ownValue(part, 'cache') !== undefined || control['type'] !== 'ephemeral')
    return part
  const pick = picker(part, at, ['cache_control'])
  pick.take(['type'])
  const ttl = pick.take(['ttl'])
  if (ttl !== undefined && !lifetimes.has(ttl.value)) return part
  return {
    ...pick.rest(),
    ...('type' in part && { type: part['type'] }),
    cache: lifetimes.get(ttl?.value) ?? {},
  }
}
