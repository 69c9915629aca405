import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message, SystemMessage, UserMessage } from '../../canonical/model/message.ts'
import type { ToolPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { pushAll } from '../engine/frame-reader-writer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { MessageWithPath } from '../engine/tool-pairing.ts'
import { createOpaqueMessage, createOpaquePart, getOpaqueMessage } from '../shared/opaque-content.ts'
import { applyResidue, createHintExtra, getHints, attachResidue } from '../engine/residue-slots.ts'
import { getCallItemType } from './tool-calls.ts'
import { DIALECT_SLOT } from './constants.ts'
import { getProviderItemType } from './provider-tools.ts'
import { decodeItem, decodeItems, encodeItems } from './items.ts'
import { decodePart, encodeParts, getPlainText } from './parts.ts'
import { decodeAdditionalToolsMessage, isAdditionalToolsItem } from './tool-groups.ts'
import { decodeToolResult, encodeToolResult } from './tool-results.ts'
import { createUsualMessage } from '../shared/usual-parts.ts'
import { decodeUsualMessageItem, decodeUsualResultItem } from './usual-form-decoder.ts'

/** The source of an item: a message with its role, the model, or the application with results of calls. */
type ItemRole = InputMessage['role'] | 'model' | 'application'

type InputMessage = SystemMessage | UserMessage

/** Decodes `instructions` as a system message at the start of the conversation. */
export function decodeSystem(wire: Json | undefined, options: DecodeOptions): readonly Message[] {
  if (typeof wire !== 'string' || wire === '') return []
  const extra = createHintExtra(DIALECT_SLOT, { instructionsField: true })
  const id = generateId('msg', options)
  return [freezeOwned<Message>({ id, role: 'system', content: [{ type: 'text', text: wire }], extra })]
}

/**
 * Decodes the items of a conversation: consecutive items of the model are one assistant message, consecutive
 * tool results one tool message.
 */
export function decodeMessages(wire: Json | undefined, options: DecodeOptions): readonly Message[] {
  if (typeof wire === 'string')
    return wire === '' ? [] : [decodeMessageItem({ role: 'user', content: wire }, 'user', options)]
  const messages: Message[] = []
  let turn: Json[] = []
  let turnRole: ItemRole | undefined
  let toolListCount = 0
  const flushTurn = (): void => {
    if (turn.length === 0) return
    if (turnRole === 'model') {
      const content = decodeItems(turn, 'request')
      messages.push(createUsualMessage('assistant', content, options))
    } else pushAll(messages, decodeResults(turn, options))
    turn = []
  }
  for (const item of itemsOf(wire)) {
    if (isAdditionalToolsItem(item)) {
      flushTurn()
      turnRole = undefined
      messages.push(decodeAdditionalToolsMessage(item, toolListCount++, options))
      continue
    }
    const itemRole = getItemRole(item)
    const role =
      itemRole === 'application' && turnRole === 'model' && isProviderResultItem(item, turn)
        ? 'model'
        : itemRole
    if (role !== turnRole) flushTurn()
    turnRole = role
    if (role === 'model' || role === 'application') turn.push(item)
    else messages.push(decodeMessageItem(item, role, options))
  }
  flushTurn()
  return messages
}

function getItemRole(item: Json): ItemRole {
  if (!isObject(item)) return 'user'
  const { type, role } = item
  const isMessage = type === undefined || type === 'message'
  if (isMessage && (role === 'user' || role === 'system' || role === 'developer')) return role
  if (typeof type !== 'string') return 'model'
  return type.endsWith('_output') || type === 'mcp_approval_response' ? 'application' : 'model'
}

/** Returns true for the result of a call that the provider ran in the same turn: the assistant message contains it. */
function isProviderResultItem(item: Json, turn: readonly Json[]): boolean {
  const id = isObject(item) ? item['call_id'] : undefined
  if (typeof id !== 'string') return false
  for (const each of turn) {
    if (!isObject(each) || (each['id'] !== id && each['call_id'] !== id) || each['type'] === 'function_call')
      continue
    for (const part of decodeItem(each, 'request'))
      if (part.type === 'tool-call' && part.id === id && part.executedBy === 'provider') return true
  }
  return false
}

function decodeResults(turn: readonly Json[], options: DecodeOptions): readonly Message[] {
  const contents: ToolPart[][] = []
  for (const item of turn) {
    const part: ToolPart =
      (isObject(item) ? (decodeUsualResultItem(item) ?? decodeToolResult(item)) : undefined) ??
      createOpaquePart(DIALECT_SLOT, item)
    // An opaque item has a message of its own because tool results may be moved.
    if (contents.at(-1)?.[0]?.type === part.type) contents.at(-1)?.push(part)
    else contents.push([part])
  }
  return contents.map((content) => createUsualMessage('tool', content, options))
}

function decodeMessageItem(wire: Json, role: InputMessage['role'], options: DecodeOptions): Message {
  const usual = decodeUsualMessageItem(wire, role, options)
  if (usual !== undefined) return usual
  const content = isObject(wire) ? wire['content'] : undefined
  if (!isObject(wire) || (typeof content !== 'string' && !isList(content)))
    return createOpaqueMessage(DIALECT_SLOT, role, wire, options)
  const list = content === '' ? [] : isList(content) ? content : [{ type: 'input_text', text: content }]
  const parts = list.map((part) => decodePart(part, role !== 'user'))
  const hints = {
    ...(typeof content === 'string' && { contentForm: 'string' }),
    ...(parts.length === 0 && { emptyContent: true }),
  }
  const message = { id: generateId('msg', options), role, content: parts } as InputMessage
  return attachResidue(message, DIALECT_SLOT, hints, wire, encodeMessageItem)
}

/** Returns the text of a first message that was received as `instructions` and still is one text. */
export function getInstructions(
  { message, path }: MessageWithPath,
  context: EncodeContext,
): string | undefined {
  if (message.role !== 'system' || getHints(message, DIALECT_SLOT)['instructionsField'] !== true)
    return undefined
  const [only, ...others] = message.content
  if (only?.type !== 'text' || only.text === '' || others.length > 0) return undefined
  const text = getPlainText(encodeParts(message.content, undefined, noReport))
  if (text === undefined) return undefined
  encodeParts(message.content, child(path, 'content'), context) // reports the omitted fields
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  return text
}

/** Records the item types of the calls of a message, for their results. */
export function recordCallItems({ role, content }: Message, callItemTypes: Map<string, string>): void {
  if (role !== 'assistant') return
  for (const part of content)
    if (part.type === 'tool-call')
      callItemTypes.set(part.id, getProviderItemType(part) ?? getCallItemType(part))
}

/**
 * Encodes a message: as no item if it is empty, as several items if it contains several. The item types of
 * its calls are added to `callItemTypes` for the results that follow.
 */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
  callItemTypes: Map<string, string> = new Map(),
): readonly JsonObject[] {
  const opaque = getOpaqueMessage(message, DIALECT_SLOT)
  if (opaque !== undefined) return [opaque]
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  const contentPath = child(path, 'content')
  let items: readonly JsonObject[]
  if (message.role === 'assistant') {
    recordCallItems(message, callItemTypes)
    items = encodeItems(message.content, contentPath, { bodyKind: 'request', context })
  } else if (message.role === 'tool') {
    items = encodeResults(message.content, callItemTypes, contentPath, context)
  } else {
    const item = encodeMessageItem(message, path, context)
    items = item === undefined ? [] : [item]
  }
  if (items.length === 0) context.report('empty-message', path)
  return items
}

function encodeResults(
  parts: readonly ToolPart[],
  callItemTypes: ReadonlyMap<string, string>,
  path: Path,
  context: EncodeContext,
): readonly JsonObject[] {
  const items: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const partPath = child(path, index)
    if (part.type === 'tool-result')
      items.push(encodeToolResult(part, callItemTypes.get(part.callId), partPath, context))
    else if (part.dialect === DIALECT_SLOT) items.push(part.value as JsonObject)
    else context.report('foreign-opaque', partPath)
  }
  return items
}

function encodeMessageItem(
  message: InputMessage,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const hints = getHints(message, DIALECT_SLOT)
  const parts = encodeParts(message.content, child(path, 'content'), context)
  if (parts.length === 0 && hints['emptyContent'] !== true) return undefined
  const text = hints['contentForm'] === 'string' ? (parts.length === 0 ? '' : getPlainText(parts)) : undefined
  return applyResidue({ type: 'message', role: message.role, content: text ?? parts }, message, DIALECT_SLOT)
}
