import type { Part, TextPart, UserPart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { applyResidue, attachResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { writeOpaquePart } from '../engine/omitted-fields.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { keepPart } from '../engine/keep-unknown-values.ts'
import { requireText } from '../engine/require-fields.ts'
import { NAME, PYDANTIC_SLOT } from './constants.ts'
import { isMedia, readMedia, writeMedia } from './media.ts'

const CACHE_LIFETIMES = { short: '5m', long: '1h' } as const

/** Reads the content of a user prompt: a text, or a list of texts, media and cache points. */
export function readUserContent(content: Json | undefined, path: Path): readonly UserPart[] {
  if (typeof content === 'string')
    return content === '' ? [] : [checkAndFreezePart<TextPart>({ type: 'text', text: content }, path)]
  if (!Array.isArray(content)) return throwWrongType(content, path, 'a text or a list')
  const parts: UserPart[] = []
  content.forEach((item: Json, index) => {
    const at = child(path, index)
    const last = parts.at(-1)
    const ttl = readCachePoint(item)
    // A cache point caches everything before it: it is a mark of the part before it.
    if (ttl !== undefined && last !== undefined && last.type !== 'opaque' && last.cache === undefined)
      parts[parts.length - 1] = Object.freeze({ ...last, cache: Object.freeze({ ttl }) })
    else parts.push(readItem(item, at))
  })
  return parts
}

function readCachePoint(item: Json): 'short' | 'long' | undefined {
  if (!isObject(item) || item['kind'] !== 'cache-point' || Object.keys(item).length !== 2) return undefined
  return (['short', 'long'] as const).find((each) => CACHE_LIFETIMES[each] === item['ttl'])
}

function readItem(item: Json, path: Path): UserPart {
  if (typeof item === 'string') return checkAndFreezePart<TextPart>({ type: 'text', text: item }, path)
  if (!isObject(item)) return throwWrongType(item, path, 'content: a text or an object')
  if (isMedia(item)) return readMedia(item, path)
  return readTextObject(item, path) ?? keepPart(NAME, item, path)
}

/** Reads a text that is an object; undefined for an object of another kind. */
export function readTextObject(item: JsonObject, path: Path): TextPart | undefined {
  if (item['kind'] !== 'text-content') return undefined
  const part = checkAndFreezePart<TextPart>({ type: 'text', text: requireText(item, 'content', path) }, path)
  return attachResidue(part, PYDANTIC_SLOT, { textObject: true }, item, writeTextObject)
}

/** Writes a text as an object. */
export function writeTextObject(part: TextPart): JsonObject {
  return applyResidue({ kind: 'text-content', content: part.text }, part, PYDANTIC_SLOT)
}

/** Writes the content of a user prompt: one text as it is, and anything else as a list. */
export function writeUserContent(
  parts: readonly Part[],
  isList: boolean,
  path: Path,
  report: FormatReporter,
): Json {
  const items = parts.flatMap((part, index): readonly Json[] => {
    const at = child(child(path, 'content'), index)
    if (part.signature !== undefined) report.add('signature-dropped', child(at, 'signature'))
    const item = writeItem(part, at, report)
    if (item === undefined) return []
    if (part.cache === undefined) return [item]
    return [item, { kind: 'cache-point', ttl: CACHE_LIFETIMES[part.cache.ttl ?? 'short'] }]
  })
  if (isList) return items
  if (items.length === 0) return ''
  const [only] = items
  return items.length === 1 && typeof only === 'string' && only !== '' ? only : items
}

function writeItem(part: Part, path: Path, report: FormatReporter): Json | undefined {
  switch (part.type) {
    case 'text':
      return getHints(part, PYDANTIC_SLOT).textObject === true ? writeTextObject(part) : part.text
    case 'opaque':
      return writeOpaquePart(part, NAME, path, report)
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return writeMedia(part, path, report)
    case 'json':
    case 'reasoning':
    case 'refusal':
    case 'tool-call':
    case 'tool-result':
      return undefined
  }
}
