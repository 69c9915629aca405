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

/** Who an item is of: one that speaks to the model, the model, or an application that answers its calls. */
type ItemRole = 'user' | 'system' | 'developer' | 'model' | 'application'

/** Reads instructions: they are system text before the conversation. */
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

/** Reads the items of a conversation: a run of the model's is one answer, a run of an application's one round. */
export function decodeMessages(wire: Json | undefined, options: DecodeOptions): readonly Message[] {
  if (typeof wire === 'string')
    return wire === '' ? [] : [decodeMessageItem({ role: 'user', content: wire }, options)]
  if (!Array.isArray(wire)) return []
  const messages: Message[] = []
  let run: Json[] = []
  let open: ItemRole | undefined
  const settle = (): void => {
    if (run.length > 0) messages.push(...decodeTurn(run, open, options))
    run = []
  }
  for (const item of wire as readonly Json[]) {
    const found = getItemRole(item)
    const speaker =
      found === 'application' && open === 'model' && isProviderResultItem(item, run) ? 'model' : found
    if (speaker !== open) settle()
    open = speaker
    if (speaker === 'model' || speaker === 'application') run.push(item)
    else
      messages.push(
        isObject(item) ? decodeMessageItem(item, options) : createOpaqueMessage(item, 'user', options),
      )
  }
  settle()
  return messages
}

function getItemRole(item: Json): ItemRole {
  if (!isObject(item)) return 'user'
  const { type, role } = item
  const spoken = type === undefined || type === 'message'
  if (spoken && (role === 'user' || role === 'system' || role === 'developer')) return role
  if (typeof type !== 'string') return 'model'
  return type.endsWith('_output') || type === 'mcp_approval_response' ? 'application' : 'model'
}

/** Whether an item is what a tool gave that the provider ran in this run: then it is part of the answer. */
function isProviderResultItem(item: Json, run: readonly Json[]): boolean {
  const id = isObject(item) ? item['call_id'] : undefined
  if (typeof id !== 'string') return false
  const named = run.filter((each) => isObject(each) && (each['id'] === id || each['call_id'] === id))
  return named
    .filter((each) => isObject(each) && each['type'] !== 'function_call')
    .flatMap((each) => decodeItem(each, 'request'))
    .some((part) => part.type === 'tool-call' && part.id === id && part.executedBy === 'provider')
}

function decodeTurn(
  run: readonly Json[],
  speaker: ItemRole | undefined,
  options: DecodeOptions,
): readonly Message[] {
  if (speaker === 'model') {
    const content = decodeItems(run, 'request')
    return [freezeOwned<AssistantMessage>({ id: generateId('msg', options), role: 'assistant', content })]
  }
  const rounds: ToolPart[][] = []
  for (const item of run) {
    const result = isObject(item) ? decodeToolResult(item) : undefined
    const part: ToolPart = result ?? { type: 'opaque', dialect: DIALECT_SLOT, value: item }
    // What we cannot take apart stands by itself: results may go elsewhere.
    if (rounds.at(-1)?.[0]?.type === part.type) rounds.at(-1)?.push(part)
    else rounds.push([part])
  }
  return rounds.map((content) =>
    freezeOwned<Message>({ id: generateId('msg', options), role: 'tool', content }),
  )
}

/** What we cannot take apart. */
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

/** The text of a first message that came as instructions, while it is one text. */
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
  encodeParts(message.content, child(path, 'content'), context) // reports what is left out
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  return text
}

/** Writes one of our messages: as none where it says nothing, as several items where it says several things. */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  return encodeMessageItems(message, new Map(), path, context)
}

/** The items of a message; calls leave their kind for the results that follow. */
export function encodeMessageItems(
  message: Message,
  kinds: Map<string, string>,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  const unread = getOpaqueMessage(message, DIALECT_SLOT)
  if (unread !== undefined) return [unread]
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  const items = writeItems(message, kinds, path, context)
  if (items.length === 0) context.report('empty-message', path)
  return items
}

function writeItems(
  message: Message,
  kinds: Map<string, string>,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  const place = child(path, 'content')
  if (message.role === 'tool') return encodeResults(message.content, kinds, place, context)
  if (message.role !== 'assistant') {
    const made = encodeMessageItem(message, path, context)
    return made === undefined ? [] : [made]
  }
  for (const part of message.content) {
    if (part.type !== 'tool-call') continue
    kinds.set(
      part.id,
      getProviderItemType(part) ?? (isCustomCall(part) ? 'custom_tool_call' : 'function_call'),
    )
  }
  return encodeItems(message.content, place, { bodyKind: 'request', context })
}

function encodeResults(
  parts: readonly ToolPart[],
  kinds: ReadonlyMap<string, string>,
  path: Path,
  context: EncodeContext,
): readonly JsonObject[] {
  const items: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const here = child(path, index)
    if (part.type === 'tool-result') items.push(encodeToolResult(part, kinds.get(part.callId), here, context))
    else if (part.dialect === DIALECT_SLOT) items.push(part.value as JsonObject)
    else context.report('foreign-opaque', here)
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
