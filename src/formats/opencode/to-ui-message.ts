import type { MediaPart } from '../../canonical/model/part.ts'
import { parseBase64DataUrl } from '../../wire/base64.ts'
import {
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  omitUndefined,
  readStringOrEmpty,
} from '../../wire/json.ts'
import { buildMedia } from '../ai-sdk-shared/media.ts'
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
  return { ...call, state: 'output-available', ...toOutput(output, itemsOf(attachments)) }
}

/** A result with media is a list of parts, which the codec reads by its mark. */
function toOutput(output: Json | undefined, attachments: readonly Json[]): JsonObject {
  const media = attachments.flatMap((item) => readAttachment(item) ?? [])
  if (media.length === 0) return { output: output ?? '' }
  const parts = [{ type: 'text', text: readStringOrEmpty(output) }, ...media]
  return { output: parts as unknown as Json, resultProviderMetadata: { interlingua: { content: true } } }
}

/** Reads a file of a result; undefined for a file that is not stored in the session. */
function readAttachment(item: Json): MediaPart | undefined {
  if (!isObject(item)) return undefined
  const inline = parseBase64DataUrl(readStringOrEmpty(item['url']))
  return inline && buildMedia({ kind: 'base64', ...inline }, inline.mediaType, item['filename'], {})
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
  const attachments = itemsOf(state['attachments']).filter((item) => readAttachment(item) === undefined)
  return {
    ...rest,
    state: { ...omitKeys(state, used ?? ['input']), ...(attachments.length > 0 && { attachments }) },
  }
}
