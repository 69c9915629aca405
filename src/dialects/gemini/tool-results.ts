import type { MediaPart, ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isEqualJson, isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import { getBlockText } from '../shared/read-wire.ts'
import type { CallIdResolver } from './call-ids.ts'
import { supportsCallIds } from './tool-calls.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import type { DecodedPart, NestedDecoder, PartEncodeContext } from './part-context.ts'
import { hintsIn } from '../engine/residue-slots.ts'

/**
 * Keys that clients wrap a function result in. Without `output` or `error`, the API takes the whole response
 * as the result.
 */
const wrapperKeys: ReadonlySet<string> = new Set([
  'output',
  'error',
  'result',
  'value',
  'response',
  'content',
])

/** The part types that a tool result may contain apart from its data. */
const resultMediaTypes: ReadonlySet<string> = new Set(['image', 'audio', 'video', 'file', 'opaque'])

/** Decodes a function response; `decodeNested` decodes the media in it. */
export function decodeToolResult(
  wire: Json,
  callIds: CallIdResolver,
  decodeNested: NestedDecoder,
): DecodedPart | undefined {
  if (!isObject(wire)) return undefined
  const { id, name, response, parts } = wire
  if (name !== undefined && typeof name !== 'string') return undefined
  const callId = callIds.resolveResult(id, name ?? '', () => JSON.stringify(response ?? null))
  const { payload, ...rest } = unwrapResponse(response)
  const mediaParts = isList(parts)
    ? parts.map((part) => decodeNested(part, { location: 'result', callIds }))
    : []
  if (!mediaParts.every((part) => resultMediaTypes.has(part.type))) return undefined
  const part: ToolResultPart = {
    type: 'tool-result',
    callId,
    ...(name !== undefined && { name }),
    content: [...payload, ...(mediaParts as readonly MediaPart[])],
    ...(rest.isError && { isError: true }),
  }
  const isDefaultForm =
    response === undefined || isEqualJson(wrapPayload(payload, rest.isError, undefined), response)
  const hints = hintsIn(DIALECT_SLOT, {
    ...(name === undefined ? { missingName: true } : createToolNameHint(name, toolNameRule)),
    ...(!isDefaultForm && { responseWrapper: rest.wrap }),
    ...(mediaParts.length > 0 && { hasMediaParts: true }),
    ...(isReference(response) && { hasReferences: true }),
    // The call had no id, but the result has the id that is derived for the call.
    ...(callId === id && callIds.isGenerated(callId) && { hasDerivedId: true }),
  })
  return { part, hints }
}

interface UnwrappedResponse {
  readonly payload: readonly ToolResultContent[]
  readonly isError: boolean
  /** The key that wraps the data: '' for an object without a wrapper, `bare` for other data without one. */
  readonly wrap: string
}

/** Returns the data of a response without its wrapper, if the wrapper is a known one. */
function unwrapResponse(response: Json | undefined): UnwrappedResponse {
  if (response === undefined) return { payload: [], isError: false, wrap: '' }
  const [key, ...others] = isObject(response) ? Object.keys(response) : []
  if (key === undefined && isObject(response)) return { payload: [], isError: false, wrap: '' }
  const inner = isObject(response) && key !== undefined ? (response[key] as Json) : response
  const isWrapped = isObject(response) && key !== undefined && others.length === 0 && wrapperKeys.has(key)
  const isError = key === 'error' && isWrapped
  if (!isWrapped || (isError && (inner === null || inner === false)))
    return { payload: [createContent(response)], isError: false, wrap: isObject(response) ? '' : 'bare' }
  return { payload: [createContent(inner)], isError, wrap: key }
}

function createContent(value: Json): ToolResultContent {
  return freezeOwned<ToolResultContent>(
    typeof value === 'string' ? { type: 'text', text: value } : { type: 'json', value },
  )
}

/**
 * Returns the data as the object that a response must be: in its recorded wrapper, or in `result` if it needs
 * one.
 */
function wrapPayload(payload: readonly ToolResultContent[], isError: boolean, wrap: unknown): Json {
  const values: Json[] = []
  for (const part of payload) {
    if (part.type === 'text') values.push(part.text)
    else if (part.type === 'json') values.push(part.value)
  }
  const [first] = values
  if (first === undefined) return isError ? { error: '' } : {}
  const areTexts = values.every((value) => typeof value === 'string')
  const value = values.length === 1 ? first : areTexts ? values.join('\n') : values
  if (isError) return { error: value === null || value === false ? String(value) : value }
  if (wrap === (isObject(value) ? '' : 'bare')) return value
  if (typeof wrap === 'string' && wrapperKeys.has(wrap) && wrap !== 'error') return { [wrap]: value }
  return isObject(value) && isPlainObject(value) ? value : { result: value }
}

/** Returns true for an object that cannot be mistaken for a wrapper. */
function isPlainObject(value: object): boolean {
  const keys = Object.keys(value)
  return keys.length > 1 || (keys.length === 1 && !wrapperKeys.has(keys[0] ?? ''))
}

/** Encodes a tool result. Data and text are in `response`, media in `parts`. */
export function encodeToolResult(result: ToolResultPart, partContext: PartEncodeContext): JsonObject {
  const { hints, path, context, calls } = partContext
  const contentPath = child(path, 'content')
  const data: ToolResultContent[] = []
  const mediaParts: JsonObject[] = []
  for (const [index, part] of result.content.entries()) {
    const partPath = child(contentPath, index)
    reportData(part, partPath, partContext)
    if (part.type === 'text' || part.type === 'json') {
      if (mediaParts.length > 0) context.report('order-lost', partPath)
      data.push(part)
    } else {
      const made = partContext.encodeNested(part, { ...partContext, path: partPath, location: 'result' })
      if (made !== undefined && Object.hasOwn(made, 'text') && part.type !== 'opaque')
        data.push({ type: 'text', text: getBlockText(made) })
      else if (made !== undefined) mediaParts.push(made)
    }
  }
  reportJoined(data, result.isError === true, contentPath, partContext)
  const name = result.name ?? (hints['missingName'] === true ? undefined : calls?.getName(result.callId))
  if (name === undefined && hints['missingName'] !== true) context.report('result-named', path)
  const functionName = name ?? (hints['missingName'] === true ? undefined : 'function')
  const isMatchedByName = calls?.isMatchedByName(result.callId, functionName) === true
  const functionResponse: Record<string, Json> = {}
  if (supportsCallIds(context) && (!isMatchedByName || hints['hasDerivedId'] === true))
    functionResponse['id'] = result.callId
  if (functionName !== undefined)
    functionResponse['name'] = encodeToolName(functionName, hints, toolNameRule, child(path, 'name'), context)
  const sentData =
    hints['hasReferences'] === true ? data : data.map((part) => convertToText(part, contentPath, context))
  functionResponse['response'] = wrapPayload(sentData, result.isError === true, hints['responseWrapper'])
  if (mediaParts.length > 0) functionResponse['parts'] = mediaParts
  return { functionResponse }
}

/**
 * Returns true for data that contains `$ref`, which the API resolves as the name of a media part. Such data
 * is sent as text.
 */
function isReference(value: Json | undefined): boolean {
  if (isList(value)) return value.some(isReference)
  return isObject(value) && (typeof value['$ref'] === 'string' || Object.values(value).some(isReference))
}

function convertToText(part: ToolResultContent, path: Path, context: EncodeContext): ToolResultContent {
  if (part.type !== 'json' || !isReference(part.value)) return part
  context.report('json-as-text', path)
  return { type: 'text', text: JSON.stringify(part.value) }
}

function reportData(part: ToolResultContent, path: Path, { context }: PartEncodeContext): void {
  if (part.type !== 'text' && part.type !== 'json') return
  reportUnsupportedFields(part, path, context)
  if (part.type === 'text' && (part.citations?.length ?? 0) > 0)
    context.report('citations-dropped', child(path, 'citations'))
}

function reportJoined(
  data: readonly ToolResultContent[],
  isError: boolean,
  path: Path,
  { context }: PartEncodeContext,
): void {
  if (data.length > 1) context.report('texts-joined', path)
  const [only] = data
  if (isError && only?.type === 'json' && (only.value === null || only.value === false))
    context.report('json-as-text', path)
}
