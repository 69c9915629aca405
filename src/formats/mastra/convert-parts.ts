import { parseBase64DataUrl } from '../../wire/base64.ts'
import {
  getOwnValue,
  isEmptyObject,
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  omitUndefined,
  readStringOrEmpty,
} from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { readOwnProviderMetadata, replaceOwnProviderMetadata } from '../ai-sdk-shared/provider-metadata.ts'
import { requireObject, requireText } from '../engine/require-fields.ts'

/** States of calls in Mastra, and their names in UI messages; the other states have the same names. */
const STATES: readonly (readonly [mastra: string, ui: string])[] = [
  ['partial-call', 'input-streaming'],
  ['call', 'input-available'],
  ['result', 'output-available'],
]

/** Converts a stored part to a part of a UI message; a part of another type is unchanged. */
export function toUiPart(wire: Json, path: Path): JsonObject {
  const part = requireObject(wire, path, 'a part')
  switch (readStringOrEmpty(part['type'])) {
    case 'tool-invocation':
      return toToolPart(part, path)
    case 'reasoning':
      return toReasoningPart(part, path)
    case 'file':
      return toFilePart(part, path)
    case 'source':
      return toSourcePart(part, path)
    case 'text':
      return { ...part, text: requireText(part, 'text', path) }
  }
  return part
}

function toToolPart(part: JsonObject, path: Path): JsonObject {
  const at = child(path, 'toolInvocation')
  const call = requireObject(part['toolInvocation'], at, 'a call')
  const { state, args, result, isError, errorText, rawInput, approval } = call
  const isFailed = state === 'result' && isError === true
  const known = STATES.find(([mastra]) => mastra === state)?.[1] ?? readStringOrEmpty(state)
  const failure = errorText ?? (typeof result === 'string' ? result : JSON.stringify(result ?? ''))
  return omitUndefined({
    type: `tool-${requireText(call, 'toolName', at)}`,
    toolCallId: requireText(call, 'toolCallId', at),
    state: isFailed ? 'output-error' : known,
    input: args,
    rawInput,
    output: state === 'result' && !isFailed ? (result ?? null) : undefined,
    errorText: isFailed ? failure : errorText,
    approval,
    providerExecuted: part['providerExecuted'],
    ...splitMetadata(part['providerMetadata']),
  })
}

/**
 * Splits the metadata of a part into that of the call and that of the result. Mastra has one field for both, so our fields of
 * the result are an object in our fields of the call.
 */
function splitMetadata(given: Json | undefined): {
  readonly callProviderMetadata: Json | undefined
  readonly resultProviderMetadata?: Json | undefined
} {
  const { result, ...own } = readOwnProviderMetadata(given)
  if (!isObject(result)) return { callProviderMetadata: given }
  return {
    callProviderMetadata: replaceOwnProviderMetadata(given, own),
    resultProviderMetadata: replaceOwnProviderMetadata(undefined, result),
  }
}

function joinMetadata({ callProviderMetadata, resultProviderMetadata }: JsonObject): Json | undefined {
  const result = readOwnProviderMetadata(resultProviderMetadata)
  if (isEmptyObject(result)) return callProviderMetadata
  return replaceOwnProviderMetadata(callProviderMetadata, {
    ...readOwnProviderMetadata(callProviderMetadata),
    result,
  })
}

function toReasoningPart(part: JsonObject, path: Path): JsonObject {
  const { details, providerMetadata } = part
  const blocks = itemsOf(details).filter(isObject) as readonly JsonObject[]
  const text = requireText(part, 'reasoning', path)
  const written = blocks.map((block) => readStringOrEmpty(block['text'])).join('')
  const [only] = blocks
  const { signature, data } = blocks.length === 1 && only !== undefined ? only : {}
  const anthropic = omitUndefined({ signature, redactedData: data })
  const given = isObject(providerMetadata) ? providerMetadata : {}
  const isSigned = Object.keys(anthropic).length > 0 && !Object.hasOwn(given, 'anthropic')
  return omitUndefined({
    type: 'reasoning',
    text: text === '' ? written : text,
    providerMetadata: isSigned ? { ...given, anthropic } : providerMetadata,
  })
}

function toFilePart(part: JsonObject, path: Path): JsonObject {
  const data = requireText(part, 'data', path)
  const mediaType = requireText(part, 'mimeType', path)
  const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(data)
  const { filename, providerMetadata, providerReference } = part
  const url = isUrl ? data : `data:${mediaType};base64,${data}`
  return omitUndefined({ type: 'file', mediaType, url, filename, providerReference, providerMetadata })
}

function toSourcePart(part: JsonObject, path: Path): JsonObject {
  const at = child(path, 'source')
  const source = requireObject(part['source'], at, 'a source')
  const { id, title, providerMetadata } = source
  return omitUndefined({
    type: 'source-url',
    sourceId: id,
    url: requireText(source, 'url', at),
    title,
    providerMetadata,
  })
}

/** Converts a part of a UI message to a stored part. `isRaw` writes data without its media type. */
export function fromUiPart(part: JsonObject, isRaw: boolean): JsonObject {
  const type = readStringOrEmpty(part['type'])
  if (type.startsWith('tool-') || type === 'dynamic-tool') return fromToolPart(part, type)
  switch (type) {
    case 'reasoning': {
      const { text = '', providerMetadata } = part
      const anthropic = isObject(providerMetadata) ? getOwnValue(providerMetadata, 'anthropic') : undefined
      const { signature, redactedData } = isObject(anthropic) ? (anthropic as JsonObject) : {}
      const detail =
        redactedData === undefined
          ? { type: 'text', text, signature }
          : { type: 'redacted', data: redactedData }
      return omitUndefined({
        type,
        reasoning: text,
        details: [omitUndefined(detail) as JsonObject],
        providerMetadata,
      })
    }
    case 'file': {
      const { mediaType, url, filename, providerReference, providerMetadata } = part
      const inline = isRaw ? parseBase64DataUrl(readStringOrEmpty(url))?.data : undefined
      const data = inline ?? url
      return omitUndefined({ type, mimeType: mediaType, data, filename, providerReference, providerMetadata })
    }
    case 'source-url': {
      const { sourceId: id, url, title, providerMetadata } = part
      const source = omitUndefined({ sourceType: 'url', id, url, title, providerMetadata }) as JsonObject
      return { type: 'source', source }
    }
  }
  return part
}

function fromToolPart(part: JsonObject, type: string): JsonObject {
  const { toolCallId, toolName, state, input, output, rawInput, errorText, approval } = part
  const toolInvocation = omitUndefined({
    state: STATES.find(([, ui]) => ui === state)?.[0] ?? state,
    toolCallId,
    toolName: type === 'dynamic-tool' ? toolName : type.slice('tool-'.length),
    args: input,
    rawInput,
    result: state === 'output-available' ? output : undefined,
    errorText,
    approval,
  }) as JsonObject
  return omitUndefined({
    type: 'tool-invocation',
    toolInvocation,
    providerExecuted: part['providerExecuted'],
    providerMetadata: joinMetadata(part),
  })
}
