import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { CacheHint, Part, ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, createNoReport, noReport } from '../engine/encode-context.ts'
import { type CallIdGenerator, createCallIdGenerator, isValidCallId } from '../shared/call-ids.ts'
import { decodeGroupingToolResults, encodeMessageOrResults } from '../shared/message-per-tool-result.ts'
import { createOpaqueMessage } from '../shared/opaque-content.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import {
  createHostHint,
  digestMessage,
  getHostContext,
  isFitForHost,
  markAcceptedCallIds,
  markAcceptedTurns,
} from './host-acceptance.ts'
import { decodeAssistantMessage, encodeAssistantMessage } from './assistant-message.ts'
import { isLegacyCall } from './tool-calls.ts'
import { decodeCacheMarker, encodePartCacheMarker } from './cache-markers.ts'
import { callIdRule, DIALECT_SLOT, toolNameRule } from './constants.ts'
import { getFlavor } from './flavors.ts'
import { getRequiredReasoning, omitMessageFieldsRefusedByHost } from './fit-host.ts'
import {
  createContentHints,
  decodeContent,
  type DecodedContent,
  encodeParts,
  toWireContent,
} from './parts.ts'
import { decodeToolResult, encodeToolResult } from './tool-results.ts'
import {
  decodeUsualChatMessage,
  decodeUsualChatResult,
  readTextBesideCalls,
  type UsualChatForms,
} from '../shared/usual-chat-form-decoder.ts'
import type { OpenAIChatHints } from './hints.ts'
import { isValidToolName } from '../shared/tool-names.ts'

/** The messages that have no residue, from hosts without rules of their own. */
const usualChatForms: UsualChatForms = {
  roles: new Set(['system', 'developer', 'user', 'assistant']),
  messageWithCallsKeys: ['role', 'content', 'tool_calls'],
  readContentBesideCalls: ({ content }) => readTextBesideCalls(content, null),
  callKeys: ['id', 'type', 'function'],
  argumentsForm: 'text',
  isValidCall: (id, name) => isValidCallId(id, callIdRule) && isValidToolName(name, toolNameRule),
  resultKeys: ['role', 'tool_call_id', 'content'],
  isValidResult: (id) => isValidCallId(id, callIdRule),
}

export function decodeMessages(wire: Json | undefined, options: DecodeOptions): readonly Message[] {
  const ids = createCallIdGenerator()
  // A host with rules of its own may have accepted a message against them.
  const isPlainHost = options.flavor === undefined
  const messages = decodeGroupingToolResults(
    wire,
    options,
    (each, last, results) =>
      (isPlainHost ? decodeUsualChatResult(each, usualChatForms) : undefined) ??
      decodeToolResult(each, (name) => findOpenCall(last, results, name), options),
    (each) =>
      (isPlainHost ? decodeUsualChatMessage(each, usualChatForms, options) : undefined) ??
      decodeMessage(each, ids, options),
  )
  return markAcceptedTurns(messages, options)
}

/** Returns the id of the first legacy call of that name in the preceding message that has no result yet. */
function findOpenCall(
  last: Message | undefined,
  results: readonly ToolResultPart[],
  name: string,
): string | undefined {
  if (last?.role !== 'assistant') return undefined
  for (const part of last.content) {
    if (part.type !== 'tool-call' || part.name !== name || !isLegacyCall(part)) continue
    if (!results.some(({ callId }) => callId === part.id)) return part.id
  }
  return undefined
}

function decodeMessage(wire: Json, ids: CallIdGenerator, options: DecodeOptions): Message {
  const { role, name }: JsonObject = isObject(wire) ? wire : {}
  const decoded = isObject(wire) ? readContent(wire, ids, options) : undefined
  if (decoded === undefined || !isObject(wire)) {
    const opaqueRole = role === 'tool' || role === 'function' ? 'tool' : 'user'
    return createOpaqueMessage(DIALECT_SLOT, opaqueRole, wire, options)
  }
  const marker = decodeCacheMarker(wire)
  const isMarked =
    marker !== undefined && decoded.content.length > 0 && decoded.content.at(-1)?.cache === undefined
  const content = isMarked ? setLastCache(decoded.content, marker.cache) : decoded.content
  const required = getRequiredReasoning(wire, getFlavor(options))
  const isEmpty = required !== undefined && wire[required.field] === required.filler
  const hints = {
    ...decoded.hints,
    ...(isEmpty && { emptyReasoningField: true }),
    ...(isMarked && { messageCacheStyle: marker.style }),
  }
  const nameFields = typeof name === 'string' && { name }
  const message = { id: generateId('msg', options), role, content, ...nameFields } as Message
  const attach = (context: EncodeContext, hostHint: OpenAIChatHints = {}): Message =>
    attachResidue(message, DIALECT_SLOT, { ...hints, ...hostHint }, wire, (each) =>
      encodeSingle(each, undefined, context),
    )
  const fitted = attach(createNoReport(options))
  const isFit = isFitForHost(options, wire, (context) => encodeSingle(fitted, undefined, context))
  if (isFit || options.flavor === undefined) return fitted
  return attach(noReport, createHostHint(options.flavor, digestMessage(message)))
}

function readContent(
  wire: JsonObject,
  ids: CallIdGenerator,
  options: DecodeOptions,
): DecodedContent | undefined {
  const { role } = wire
  if (role === 'assistant') {
    const { content, hints } = decodeAssistantMessage(wire, DIALECT_SLOT, ids)
    return { content: markAcceptedCallIds(content, options), hints }
  }
  if (role !== 'user' && role !== 'system' && role !== 'developer') return undefined
  const content = decodeContent(wire['content'], role === 'user' ? 'user' : 'system')
  return { content, hints: createContentHints(wire['content'], content) }
}

/** Encodes a message: as none if it is empty, as several if it contains several tool results. */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  return encodeMessageOrResults(message, path, context, DIALECT_SLOT, encodeToolResult, encodeSingle)
}

/** Returns the parts with a cache marker on the last one, or without it. */
function setLastCache(parts: readonly Part[], cache: CacheHint | undefined): readonly Part[] {
  return parts.map((part, index) => {
    if (index < parts.length - 1) return part
    const { cache: _cache, ...uncached } = part
    return freezeOwned(cache === undefined ? uncached : { ...uncached, cache })
  })
}

/** Writes a message with its cache marker: on the message itself if it was received there, else on its part. */
function writeWithCache(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const { messageCacheStyle: style } = getHints(message, DIALECT_SLOT)
  const parts: readonly Part[] = message.content
  const cache = parts.at(-1)?.cache
  if (style === undefined || cache === undefined) return writeSingle(message, path, context)
  const uncached = { ...message, content: setLastCache(parts, undefined) } as Message
  const made = writeSingle(uncached, path, context)
  const partPath = child(child(path, 'content'), parts.length - 1)
  return (
    made && {
      ...made,
      ...encodePartCacheMarker(cache, { cacheMarkerStyle: style }, 'user', partPath, context),
    }
  )
}

function encodeSingle(
  message: Message,
  path: Path | undefined,
  targetContext: EncodeContext,
): JsonObject | undefined {
  const hints = getHints(message, DIALECT_SLOT)
  const context = getHostContext(hints, () => digestMessage(message), targetContext)
  const made = writeWithCache(message, path, context)
  if (made === undefined) return undefined
  const { name } = message
  const flavor = getFlavor(context.options)
  const required = getRequiredReasoning(made, flavor)
  const withName = name === undefined ? made : { ...made, name }
  const withReasoning = required === undefined ? withName : { [required.field]: required.filler, ...withName }
  const written = applyResidue(withReasoning, message, DIALECT_SLOT)
  const isAdded =
    required !== undefined &&
    written[required.field] === required.filler &&
    !Object.hasOwn(made, required.field)
  if (isAdded && !isOriginallyEmpty(message, required)) context.report('empty-reasoning', path)
  return omitMessageFieldsRefusedByHost(written, flavor, path, context)
}

/** Returns true if the reasoning field of the message was received with the filler. */
function isOriginallyEmpty(
  message: Message,
  { field, filler }: { readonly field: string; readonly filler: string },
): boolean {
  return (
    getHints(message, DIALECT_SLOT)['emptyReasoningField'] === true ||
    message.extra?.[DIALECT_SLOT]?.[field] === filler
  )
}

/** Encodes a message without its name and residue; returns undefined if nothing is left to send. */
function writeSingle(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const hints = getHints(message, DIALECT_SLOT)
  const canBeEmpty = hints['emptyContent'] === true
  if (message.role === 'assistant') {
    const encoded = encodeAssistantMessage(message, path, context, DIALECT_SLOT)
    const isEmpty = encoded['content'] === null && Object.keys(encoded).length === 2
    return isEmpty && !canBeEmpty ? undefined : encoded
  }
  const contentPath = child(path, 'content')
  const placed = (message.content as readonly Part[]).map((part, index) => ({
    part,
    path: child(contentPath, index),
  }))
  const contentRole = message.role === 'user' ? 'user' : 'system'
  const parts = encodeParts(placed, context, contentRole)
  if (parts.length === 0 && !canBeEmpty) return undefined
  const role = encodeRole(message.role, path, context)
  return { role, content: toWireContent(parts, contentRole, hints, contentPath, context) }
}

function encodeRole(role: Message['role'], path: Path | undefined, context: EncodeContext): Message['role'] {
  if (role !== 'developer' || getFlavor(context.options).supportsDeveloperRole !== false) return role
  context.report('developer-role', child(path, 'role'))
  return 'system'
}
