import {
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  omitUndefined,
  readStringOrEmpty,
} from '../../wire/json.ts'
import { omitKeys } from '../transcripts/session-builder.ts'
import { COMPACTION_PROMPT, PART_FIELDS, STATE_FIELDS, TEXT_FILE_TYPES } from './constants.ts'

/** Converts a message with its parts to a message of the AI SDK, whose codec reads it. */
export function toUiMessage(info: JsonObject, parts: readonly JsonObject[]): JsonObject {
  const isUser = info['role'] === 'user'
  return {
    id: info['id'] ?? '',
    role: isUser ? 'user' : 'assistant',
    parts: parts.flatMap((part) => toUiParts(part, isUser)),
  }
}

function toUiParts(part: JsonObject, isUser: boolean): readonly JsonObject[] {
  const metadata = isObject(part['metadata']) ? { providerMetadata: part['metadata'] } : {}
  switch (readStringOrEmpty(part['type'])) {
    case 'text':
      return part['ignored'] === true
        ? []
        : [{ type: 'text', text: readStringOrEmpty(part['text']), ...metadata }]
    case 'reasoning':
      return [{ type: 'reasoning', text: readStringOrEmpty(part['text']), ...metadata }]
    case 'file':
      return isUser && TEXT_FILE_TYPES.has(part['mime']) ? [] : [toFilePart(part)]
    case 'step-start':
      return isUser ? [] : [{ type: 'step-start' }]
    case 'tool':
      return [toToolPart(part)]
    case 'compaction':
      return [{ type: 'text', text: COMPACTION_PROMPT }]
  }
  return []
}

function toFilePart({ mime, filename, url }: JsonObject): JsonObject {
  return { type: 'file', ...omitUndefined({ mediaType: mime, filename, url }) }
}

/** A call without an outcome stays without a result; the conversation was cut there. */
function toToolPart({ tool, callID, state, metadata }: JsonObject): JsonObject {
  const { status, input, output, error, attachments } = isObject(state) ? state : {}
  const { providerExecuted, ...callMetadata } = isObject(metadata) ? metadata : {}
  const call = {
    type: `tool-${readStringOrEmpty(tool)}`,
    toolCallId: callID ?? '',
    input: input ?? {},
    ...(providerExecuted === true && { providerExecuted: true }),
    ...(Object.keys(callMetadata).length > 0 && { callProviderMetadata: callMetadata }),
  }
  if (status === 'error') return { ...call, state: 'output-error', errorText: readStringOrEmpty(error) }
  if (status !== 'completed') return { ...call, state: 'input-available' }
  return { ...call, state: 'output-available', output: toOutput(output, itemsOf(attachments)) }
}

/** Media of a result has the form that the AI SDK has for the content of results. */
function toOutput(output: Json | undefined, attachments: readonly Json[]): Json {
  const media = attachments.flatMap((item): readonly JsonObject[] => {
    const [, data] =
      /^data:[^,]*;base64,(.*)$/s.exec(isObject(item) ? readStringOrEmpty(item['url']) : '') ?? []
    return isObject(item) && data !== undefined
      ? [{ type: 'media', mediaType: item['mime'] as Json, data }]
      : []
  })
  if (media.length === 0) return output ?? ''
  return { type: 'content', value: [{ type: 'text', text: readStringOrEmpty(output) }, ...media] }
}

/** Returns what a part has besides the conversation; undefined if nothing is left. */
export function toPartNote(part: JsonObject): JsonObject | undefined {
  const type = readStringOrEmpty(part['type'])
  const fields = Object.hasOwn(PART_FIELDS, type) ? PART_FIELDS[type] : undefined
  const isOmitted = part['ignored'] === true || (type === 'file' && TEXT_FILE_TYPES.has(part['mime']))
  if (fields === undefined || isOmitted) return part
  const rest = omitKeys(part, [...fields, 'messageID', 'sessionID'])
  const { state } = part
  if (!isObject(state)) return rest
  const status = readStringOrEmpty(state['status'])
  const used = Object.hasOwn(STATE_FIELDS, status) ? STATE_FIELDS[status] : undefined
  return { ...rest, state: omitKeys(state, used ?? ['input']) }
}
