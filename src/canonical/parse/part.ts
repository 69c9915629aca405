import { isObject, getOwnValue } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { text } from '../build/parts.ts'
import type { Part, PartType } from '../model/part.ts'
import { partShapes } from '../shape/part.ts'
import { throwInvalid, throwWrongType, quoteShort, type ReadValue } from '../shape/shape.ts'
import { TOOL_CALL_TYPES, readToolCall } from './tool-call.ts'
import { mediaTypeAliases, readMedia } from './media.ts'
import { createFieldPicker } from './field-picker.ts'
import { readToolResult, TOOL_RESULT_TYPES } from './tool-result.ts'

/** Part types of other formats that differ from canonical ones only in their name. */
const PART_TYPE_ALIASES: ReadonlyMap<unknown, PartType> = new Map([
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['thinking', 'reasoning'],
])

/** Reads a part in canonical form, or in a form of another format. */
export const readPart: ReadValue<Part> = (value, path, context) => {
  if (typeof value === 'string') return text(value)
  if (!isObject(value)) return throwWrongType(value, path, 'a part: an object or a string')
  const part = convertCacheControl(value, path)
  const type = getOwnValue(part, 'type') ?? 'text'
  if (TOOL_CALL_TYPES.has(type)) return readToolCall(part, path, context)
  if (TOOL_RESULT_TYPES.has(type)) return readToolResult(part, path, context)
  const media = isObject(getOwnValue(part, 'source')) ? undefined : mediaTypeAliases.get(type)
  if (media !== undefined) return readMedia(part, media, path, context)
  const ours = PART_TYPE_ALIASES.get(type) ?? type
  if (typeof ours === 'string' && Object.hasOwn(partShapes, ours))
    return partShapes[ours as PartType].read({ ...part, type: ours }, path, context)
  const known = [...Object.keys(partShapes), ...mediaTypeAliases.keys(), ...PART_TYPE_ALIASES.keys()]
  return throwInvalid(
    'unknown-part-type',
    child(path, 'type'),
    quoteShort(type),
    `one of ${known.join(', ')}`,
  )
}

const CACHE_LIFETIMES: ReadonlyMap<unknown, { readonly ttl: 'short' | 'long' }> = new Map([
  ['5m', { ttl: 'short' }],
  ['1h', { ttl: 'long' }],
])

/** Renames `cache_control`, the name in other formats, to `cache`. */
function convertCacheControl(part: object, path: Path | undefined): object {
  const control = getOwnValue(part, 'cache_control')
  if (!isObject(control) || getOwnValue(part, 'cache') !== undefined || control['type'] !== 'ephemeral')
    return part
  const pick = createFieldPicker(part, path, ['cache_control'])
  pick.take('type')
  const ttl = pick.take('ttl')
  if (ttl !== undefined && !CACHE_LIFETIMES.has(ttl.value)) return part
  const cache = CACHE_LIFETIMES.get(ttl?.value) ?? {}
  return { ...pick.remaining(), ...('type' in part && { type: part.type }), cache }
}
