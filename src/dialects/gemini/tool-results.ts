import type { Part, ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import {
  isEqualJson,
  isList,
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  getBlockText,
} from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import type { CallIdResolver } from './call-ids.ts'
import { canSendCallId } from './tool-calls.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import type { GeminiHints } from './hints.ts'
import type { DecodedPart, PartDecodeContext, PartEncodeContext } from './part-context.ts'
import { defineHints } from '../engine/residue-slots.ts'

/** Keys that clients wrap a result in; the API itself knows `output` and `error` only. */
const wrapperKeys = new Set<unknown>(['output', 'error', 'result', 'value', 'response', 'content'])

/** Decodes a function response; `decodeNested` decodes the media in it. */
export function decodeToolResult(
  { id, name, response, parts }: JsonObject,
  callIds: CallIdResolver,
  decodeNested: (wire: Json, partContext: PartDecodeContext) => Part,
): DecodedPart | undefined {
  if (name !== undefined && typeof name !== 'string') return undefined
  const callId = callIds.resolveResult(id, name ?? '', () => JSON.stringify(response ?? null))
  const { values, isError, wrapper } = unwrapResponse(response)
  const media = itemsOf(parts).map((part) => decodeNested(part, { location: 'result', callIds }))
  if (!media.every((part) => 'source' in part || part.type === 'opaque')) return undefined
  const part: ToolResultPart = {
    type: 'tool-result',
    callId,
    ...(name !== undefined && { name }),
    content: [...values.map(createContent), ...media],
    ...(isError && { isError }),
  }
  const isDefaultForm =
    response === undefined || isEqualJson(wrapValues(values, isError, undefined), response)
  const hints = defineHints(DIALECT_SLOT, {
    ...(name === undefined ? { missingName: true } : createToolNameHint(name, toolNameRule)),
    ...callIds.createHostHint(id),
    ...(!isDefaultForm && { responseWrapper: wrapper }),
    ...(media.length > 0 && { hasMediaParts: true }),
    ...(isReference(response) && { hasReferences: true }),
    // The call had no id, but the result has one: that which is derived for the call, or an invalid one in its place.
    ...(id !== undefined && callIds.isGenerated(callId) && { hasDerivedId: true }),
  })
  return { part, hints }
}

interface UnwrappedResponse {
  readonly values: readonly Json[]
  readonly isError: boolean
  /** The key that wraps the data: '' for an object without a wrapper, `bare` for other data without one. */
  readonly wrapper: string
}

/** Returns the data of a response without its wrapper, if the wrapper is a known one. */
function unwrapResponse(response: Json = {}): UnwrappedResponse {
  if (!isObject(response)) return { values: [response], isError: false, wrapper: 'bare' }
  const [entry, ...others] = Object.entries(response)
  if (entry === undefined) return { values: [], isError: false, wrapper: '' }
  const [key, value] = entry
  const isError = key === 'error'
  const isWrapped = others.length === 0 && wrapperKeys.has(key) && !(isError && isNoError(value))
  return isWrapped
    ? { values: [value], isError, wrapper: key }
    : { values: [response], isError: false, wrapper: '' }
}

/** Returns true for a value of `error` that means that there was none. */
function isNoError(value: Json | undefined): value is null | false {
  return value === null || value === false
}

function createContent(value: Json): ToolResultContent {
  return freezeOwned<ToolResultContent>(
    typeof value === 'string' ? { type: 'text', text: value } : { type: 'json', value },
  )
}

/** Returns the data as an object: in its recorded wrapper, or in `result` if it needs one. */
function wrapValues(values: readonly Json[], isError: boolean, wrapper: Json | undefined): Json {
  const first = values[0]
  if (first === undefined) return isError ? { error: '' } : {}
  const areTexts = values.every((value) => typeof value === 'string')
  const value = values.length === 1 ? first : areTexts ? values.join('\n') : values
  if (isError) return { error: isNoError(value) ? String(value) : value }
  if (wrapper === (isObject(value) ? '' : 'bare')) return value
  if (typeof wrapper === 'string' && wrapperKeys.has(wrapper) && wrapper !== 'error')
    return { [wrapper]: value }
  return isObject(value) && !isWrapperLike(value) ? value : { result: value }
}

/** Returns true for an object that a reader takes for a wrapper, or for no data. */
function isWrapperLike(value: object): boolean {
  const [key, ...others] = Object.keys(value)
  return key === undefined || (others.length === 0 && wrapperKeys.has(key))
}

/** Encodes a tool result. Data and text are in `response`, media in `parts`; `encodeNested` encodes the media. */
export function encodeToolResult(
  result: ToolResultPart,
  hints: GeminiHints,
  partContext: PartEncodeContext,
  encodeNested: (part: Part, partContext: PartEncodeContext) => JsonObject | undefined,
): JsonObject {
  const { path, context, calls } = partContext
  const { callId, isError = false } = result
  const contentPath = child(path, 'content')
  const values: Json[] = []
  const media: JsonObject[] = []
  let index = 0
  for (const part of result.content) {
    const partPath = child(contentPath, index++)
    if (part.type === 'text' || part.type === 'json') {
      reportUnsupportedFields(part, partPath, context)
      if (part.type === 'text' && (part.citations?.length ?? 0) > 0)
        context.report('citations-dropped', child(partPath, 'citations'))
      if (media.length > 0) context.report('order-lost', partPath)
      values.push(part.type === 'text' ? part.text : part.value)
    } else {
      const made = encodeNested(part, { ...partContext, path: partPath, location: 'result' })
      // A value that is no object is opaque, too.
      if (part.type !== 'opaque' && made !== undefined && Object.hasOwn(made, 'text'))
        values.push(getBlockText(made))
      else if (made !== undefined) media.push(made)
    }
  }
  if (values.length > 1) context.report('texts-joined', contentPath)
  if (isError && isNoError(values[0])) context.report('json-as-text', contentPath)
  let { name } = result
  if (name === undefined && hints['missingName'] !== true) {
    name = calls?.getName(callId)
    if (name === undefined) context.report('result-named', path)
    name ??= 'function'
  }
  const isIdAccepted = canSendCallId(hints, context) || calls?.hasSentId(callId) === true
  const isMatchedByName = calls?.isMatchedByName(callId, name) === true
  const functionResponse: Record<string, Json> = {}
  if (isIdAccepted && (!isMatchedByName || hints['hasDerivedId'] === true)) functionResponse['id'] = callId
  if (name !== undefined)
    functionResponse['name'] = encodeToolName(name, hints, toolNameRule, child(path, 'name'), context)
  const sentValues = values.map((value) => {
    if (hints['hasReferences'] === true || !isReference(value)) return value
    context.report('json-as-text', contentPath)
    return JSON.stringify(value)
  })
  functionResponse['response'] = wrapValues(sentValues, isError, hints['responseWrapper'])
  if (media.length > 0) functionResponse['parts'] = media
  return { functionResponse }
}

/** Returns true for data that contains `$ref`: the API would resolve it as the name of a media part. */
function isReference(value: Json | undefined): boolean {
  if (isList(value)) return value.some(isReference)
  return isObject(value) && (typeof value['$ref'] === 'string' || Object.values(value).some(isReference))
}
