import type { MediaPart, ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { equalJson, isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { reportBare } from '../shared/bare.ts'
import type { Encoding } from '../encoding.ts'
import { nameHint, writeName } from '../shared/names.ts'
import { wireText } from '../shared/wire-text.ts'
import type { CallBook } from './call-book.ts'
import { takesIds } from './calls.ts'
import { SLOT, toolNames } from './codes.ts'
import type { decodePart, Read, Writing } from './parts.ts'
import { hintsIn } from '../unit.ts'

/** Keys that clients put around what a function gave; without `output` or `error` the provider takes all of it. */
const wrappers: ReadonlySet<string> = new Set(['output', 'error', 'result', 'value', 'response', 'content'])

/** What may stand beside the data of a result. */
const media: ReadonlySet<string> = new Set(['image', 'audio', 'video', 'file', 'opaque'])

/** Reads what a function gave; `inside` reads the media that it may hold. */
export function decodeResult(wire: Json, book: CallBook, inside: typeof decodePart): Read | undefined {
  if (!isObject(wire)) return undefined
  const { id, name, response, parts } = wire
  if (name !== undefined && typeof name !== 'string') return undefined
  const callId = book.answered(id, name ?? '', () => JSON.stringify(response ?? null))
  const { payload, ...rest } = unwrapped(response)
  const held = isList(parts) ? parts.map((part) => inside(part, { place: 'result', book })) : []
  if (!held.every((part) => media.has(part.type))) return undefined
  const part: ToolResultPart = {
    type: 'tool-result',
    callId,
    ...(name !== undefined && { name }),
    content: [...payload, ...(held as readonly MediaPart[])],
    ...(rest.isError && { isError: true }),
  }
  const plain = response === undefined || equalJson(wrapped(payload, rest.isError, undefined), response)
  const hints = hintsIn(SLOT, {
    ...(name === undefined ? { missingName: true } : nameHint(name, toolNames)),
    ...(!plain && { responseWrapper: rest.wrap }),
    ...(held.length > 0 && { hasMediaParts: true }),
    ...(refers(response) && { hasReferences: true }),
    // The call came without an id, and this one names it by the id that it would get.
    ...(callId === id && book.isMadeUp(callId) && { hasDerivedId: true }),
  })
  return { part, hints }
}

interface Unwrapped {
  readonly payload: readonly ToolResultContent[]
  readonly isError: boolean
  /** The key around the data; none around an object that stands for itself, nor around data that is `bare`. */
  readonly wrap: string
}

/** Takes a known wrapper off. */
function unwrapped(response: Json | undefined): Unwrapped {
  if (response === undefined) return { payload: [], isError: false, wrap: '' }
  const [key, ...others] = isObject(response) ? Object.keys(response) : []
  if (key === undefined && isObject(response)) return { payload: [], isError: false, wrap: '' }
  const inner = isObject(response) && key !== undefined ? (response[key] as Json) : response
  const isWrapped = isObject(response) && key !== undefined && others.length === 0 && wrappers.has(key)
  const isError = key === 'error' && isWrapped
  if (!isWrapped || (isError && (inner === null || inner === false)))
    return { payload: [content(response)], isError: false, wrap: isObject(response) ? '' : 'bare' }
  return { payload: [content(inner)], isError, wrap: key }
}

function content(value: Json): ToolResultContent {
  return sealOwn<ToolResultContent>(
    typeof value === 'string' ? { type: 'text', text: value } : { type: 'json', value },
  )
}

/** Puts data into the object that a response must be: in the wrapper that it came in, or in ours where one is needed. */
function wrapped(payload: readonly ToolResultContent[], isError: boolean, wrap: unknown): Json {
  const values: Json[] = []
  for (const part of payload) {
    if (part.type === 'text') values.push(part.text)
    else if (part.type === 'json') values.push(part.value)
  }
  const [first] = values
  if (first === undefined) return isError ? { error: '' } : {}
  const texts = values.every((value) => typeof value === 'string')
  const value = values.length === 1 ? first : texts ? values.join('\n') : values
  if (isError) return { error: value === null || value === false ? String(value) : value }
  if (wrap === (isObject(value) ? '' : 'bare')) return value
  if (typeof wrap === 'string' && wrappers.has(wrap) && wrap !== 'error') return { [wrap]: value }
  return isObject(value) && isFree(value) ? value : { result: value }
}

/** Whether an object would be read as itself, not as a wrapper. */
function isFree(value: object): boolean {
  const keys = Object.keys(value)
  return keys.length > 1 || (keys.length === 1 && !wrappers.has(keys[0] ?? ''))
}

/** Writes what a function gave. Data and text stand in the response, media beside it. */
export function encodeResult(result: ToolResultPart, writing: Writing): JsonObject {
  const { hints, at, encoding, calls } = writing
  const place = below(at, 'content')
  const data: ToolResultContent[] = []
  const beside: JsonObject[] = []
  for (const [index, part] of result.content.entries()) {
    const here = below(place, index)
    reportData(part, here, writing)
    if (part.type === 'text' || part.type === 'json') {
      if (beside.length > 0) encoding.lose('order-lost', here)
      data.push(part)
    } else {
      const made = writing.inside(part, { ...writing, at: here, place: 'result' })
      if (made !== undefined && Object.hasOwn(made, 'text') && part.type !== 'opaque')
        data.push({ type: 'text', text: wireText(made) })
      else if (made !== undefined) beside.push(made)
    }
  }
  reportJoined(data, result.isError === true, place, writing)
  const name = result.name ?? (hints['missingName'] === true ? undefined : calls?.nameOf(result.callId))
  if (name === undefined && hints['missingName'] !== true) encoding.lose('result-named', at)
  const called = name ?? (hints['missingName'] === true ? undefined : 'function')
  const isNamedOnly = calls?.isNamedOnly(result.callId, called) === true
  const said: Record<string, Json> = {}
  if (takesIds(encoding) && (!isNamedOnly || hints['hasDerivedId'] === true)) said['id'] = result.callId
  if (called !== undefined) said['name'] = writeName(called, hints, toolNames, below(at, 'name'), encoding)
  const told = hints['hasReferences'] === true ? data : data.map((part) => asWords(part, place, encoding))
  said['response'] = wrapped(told, result.isError === true, hints['responseWrapper'])
  if (beside.length > 0) said['parts'] = beside
  return { functionResponse: said }
}

/** What the provider takes for the name of a part beside the data: a reference that is none goes as text. */
function refers(value: Json | undefined): boolean {
  if (isList(value)) return value.some(refers)
  return isObject(value) && (typeof value['$ref'] === 'string' || Object.values(value).some(refers))
}

function asWords(part: ToolResultContent, at: Path, encoding: Encoding): ToolResultContent {
  if (part.type !== 'json' || !refers(part.value)) return part
  encoding.lose('json-as-text', at)
  return { type: 'text', text: JSON.stringify(part.value) }
}

function reportData(part: ToolResultContent, at: Path, { encoding }: Writing): void {
  if (part.type !== 'text' && part.type !== 'json') return
  reportBare(part, at, encoding)
  if (part.type === 'text' && (part.citations?.length ?? 0) > 0)
    encoding.lose('citations-dropped', below(at, 'citations'))
}

function reportJoined(
  data: readonly ToolResultContent[],
  isError: boolean,
  at: Path,
  { encoding }: Writing,
): void {
  if (data.length > 1) encoding.lose('texts-joined', at)
  const [only] = data
  if (isError && only?.type === 'json' && (only.value === null || only.value === false))
    encoding.lose('json-as-text', at)
}
