import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import type { ToolPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { PlacedMessage } from '../engine/tool-pairing.ts'
import { createOpaqueContent, getOpaqueMessage } from '../shared/opaque-message.ts'
import { applyResidue, hintedExtra, getHints, attachResidue } from '../engine/residue-slots.ts'
import { isCustomCall } from './tool-calls.ts'
import { DIALECT_SLOT } from './constants.ts'
import { getProviderItemType } from './provider-tools.ts'
import { decodeItem, decodeItems, encodeItems } from './items.ts'
import { decodePart, encodeParts, getPlainText } from './parts.ts'
import { decodeToolResult, encodeToolResult } from './tool-results.ts'

/**
 * The source of an item: a message with its role, the model, or the application with the results of tool
 * calls.
 */
type ItemRole = 'user' | 'system' | 'developer' | 'model' | 'application'

/** Decodes `instructions` as a system message at the start of the conversation. */
export function decodeSystem(wire: Json | undefined, options: DecodeOptions): readonly Message[] {
  if (typeof wire !== 'string' || wire === '') return []
  return [
    freezeOwned<Message>({
      id: generateId('msg', options),
      role: 'system',
      content: [{ type: 'text', text: wire }],
      extra: hintedExtra(DIALECT_SLOT, { instructionsField: true }),
    }),
  ]
}

/**
 * Decodes the items of a conversation: consecutive items of the model are one assistant message, consecutive
 * tool results one tool message.
 */
export function decodeMessages(wire: Json | undefined, options: DecodeOptions): readonly Message[] {
  if (typeof wire === 'string')
    return wire === '' ? [] : [decodeMessageItem({ role: 'user', content: wire }, options)]
  if (!Array.isArray(wire)) return []
  const messages: Message[] = []
  let turn: Json[] = []
  let turnRole: ItemRole | undefined
  const flushTurn = (): void => {
    if (turn.length > 0) messages.push(...decodeTurn(turn, turnRole, options))
    turn = []
  }
  for (const item of wire as readonly Json[]) {
    const itemRole = getItemRole(item)
    const role =
      itemRole === 'application' && turnRole === 'model' && isProviderResultItem(item, turn)
        ? 'model'
        : itemRole
    if (role !== turnRole) flushTurn()
    turnRole = role
    if (role === 'model' || role === 'application') turn.push(item)
    else
      messages.push(
        isObject(item) ? decodeMessageItem(item, options) : createOpaqueMessage(item, 'user', options),
      )
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

/**
 * Returns true if an item is the result of a call that the provider ran in the same turn: it is part of the
 * assistant message.
 */
function isProviderResultItem(item: Json, turn: readonly Json[]): boolean {
  const id = isObject(item) ? item['call_id'] : undefined
  if (typeof id !== 'string') return false
  const callItems = turn.filter((each) => isObject(each) && (each['id'] === id || each['call_id'] === id))
  return callItems
    .filter((each) => isObject(each) && each['type'] !== 'function_call')
    .flatMap((each) => decodeItem(each, 'request'))
    .some((part) => part.type === 'tool-call' && part.id === id && part.executedBy === 'provider')
}

function decodeTurn(
  turn: readonly Json[],
  role: ItemRole | undefined,
  options: DecodeOptions,
): readonly Message[] {
  if (role === 'model') {
    const content = decodeItems(turn, 'request')
    return [freezeOwned<AssistantMessage>({ id: generateId('msg', options), role: 'assistant', content })]
  }
  const contents: ToolPart[][] = []
  for (const item of turn) {
    const result = isObject(item) ? decodeToolResult(item) : undefined
    const part: ToolPart = result ?? { type: 'opaque', dialect: DIALECT_SLOT, value: item }
    // An opaque item has a message of its own because tool results may be moved.
    if (contents.at(-1)?.[0]?.type === part.type) contents.at(-1)?.push(part)
    else contents.push([part])
  }
  return contents.map((content) =>
    freezeOwned<Message>({ id: generateId('msg', options), role: 'tool', content }),
  )
}

/** Creates a message that contains an unknown item as an opaque part. */
function createOpaqueMessage(
  wire: Json,
  role: 'user' | 'system' | 'developer',
  options: DecodeOptions,
): Message {
  return freezeOwned({
    id: generateId('msg', options),
    role,
    content: createOpaqueContent(DIALECT_SLOT, wire),
  } as Message)
}

function decodeMessageItem(wire: JsonObject, options: DecodeOptions): Message {
  const { content } = wire
  const role = wire['role'] as 'user' | 'system' | 'developer'
  if (typeof content !== 'string' && !isList(content)) return createOpaqueMessage(wire, role, options)
  const list = typeof content === 'string' ? createTextList(content) : content
  const parts = list.map((part) => decodePart(part, role === 'user' ? 'user' : 'system'))
  const hints = {
    ...(typeof content === 'string' && { contentForm: 'string' }),
    ...(parts.length === 0 && { emptyContent: true }),
  }
  const message = { id: generateId('msg', options), role, content: parts } as Message
  return attachResidue(message, DIALECT_SLOT, DIALECT_SLOT, hints, wire, (each) =>
    encodeMessageItem(each, undefined, noReport),
  )
}

function createTextList(text: string): readonly Json[] {
  return text === '' ? [] : [{ type: 'input_text', text }]
}

/** Returns the text of a first message that was received as `instructions` and still is one text. */
export function getInstructions(
  { message, path }: PlacedMessage,
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

/** Encodes a message: as no item if it is empty, as several items if it contains several. */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  return encodeMessageItems(message, new Map(), path, context)
}

/**
 * Encodes the items of a message. The item types of its calls are added to `callItemTypes` for the results
 * that follow.
 */
export function encodeMessageItems(
  message: Message,
  callItemTypes: Map<string, string>,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  const opaque = getOpaqueMessage(message, DIALECT_SLOT)
  if (opaque !== undefined) return [opaque]
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  const items = writeItems(message, callItemTypes, path, context)
  if (items.length === 0) context.report('empty-message', path)
  return items
}

function writeItems(
  message: Message,
  callItemTypes: Map<string, string>,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  const contentPath = child(path, 'content')
  if (message.role === 'tool') return encodeResults(message.content, callItemTypes, contentPath, context)
  if (message.role !== 'assistant') {
    const made = encodeMessageItem(message, path, context)
    return made === undefined ? [] : [made]
  }
  for (const part of message.content) {
    if (part.type !== 'tool-call') continue
    callItemTypes.set(
      part.id,
      getProviderItemType(part) ?? (isCustomCall(part) ? 'custom_tool_call' : 'function_call'),
    )
  }
  return encodeItems(message.content, contentPath, { bodyKind: 'request', context })
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
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const hints = getHints(message, DIALECT_SLOT)
  const parts = encodeParts(message.content, child(path, 'content'), context)
  if (parts.length === 0 && hints['emptyContent'] !== true) return undefined
  const text = hints['contentForm'] === 'string' ? (parts.length === 0 ? '' : getPlainText(parts)) : undefined
  return applyResidue({ type: 'message', role: message.role, content: text ?? parts }, message, DIALECT_SLOT)
}
