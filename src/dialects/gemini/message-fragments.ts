import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject, getBlockText } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { ElementText, WrittenElement } from '../engine/element-text.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { splitItems, type TurnWriterOptions, type ReceivedTurn } from '../shared/turn-writer.ts'
import { getOpaqueMessage } from '../shared/opaque-content.ts'
import { applyResidue, getHints, hasChangedKey } from '../engine/residue-slots.ts'
import { keepsLaterSystem } from '../engine/content-fallback.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodePart } from './parts.ts'
import { getDetachedSignature } from './reasoning.ts'
import { EncodedCalls } from './encoded-calls.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { GeminiHints } from './hints.ts'

/** The encoded parts of one canonical message, before neighbouring messages are joined. */
export interface MessageFragment {
  readonly message: Message
  readonly role: Exclude<Role, 'developer'>
  readonly parts: readonly Json[]
  readonly hints: GeminiHints
  readonly path: Path | undefined
  readonly itemsText?: ElementText | undefined
}

/** A decoded message and the wire fragments that it was decoded from. */
export interface DecodedMessage {
  readonly message: Message
  readonly fragments: readonly (MessageFragment | ReceivedTurn)[]
}

/** Creates a fragment; `contentRole` is the role of a further wire content with tool results of the message. */
export function createFragment(
  message: Message,
  encoded: readonly WrittenElement[],
  path: Path | undefined,
  contentRole?: Json,
): MessageFragment {
  const hints =
    contentRole === undefined ? getHints(message, DIALECT_SLOT) : { startsWireMessage: true, contentRole }
  const role = message.role === 'developer' ? 'system' : message.role
  const { items: parts, itemsText } = splitItems(encoded)
  return { message, role, parts, hints, path, itemsText }
}

/** Returns true if there is nothing to send. Content that was empty on the wire counts as something. */
export function isEmptyFragment({ parts, hints }: MessageFragment): boolean {
  return parts.length === 0 && hints['contentForm'] !== 'empty-list'
}

/** Encodes one message as if it were in the middle of a conversation; an empty message has no content. */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  const opaqueWire = getOpaqueMessage(message, DIALECT_SLOT)
  if (opaqueWire !== undefined) return [opaqueWire]
  return encodeMessageAsFragments(message, path, context, new EncodedCalls())
    .map((fragment) => convertLaterSystem(fragment, context))
    .map((fragment) => fragment && encodeTurn([fragment], context))
    .filter((content) => content !== undefined)
}

/** Encodes a message as one fragment, or as one for each wire content that its tool results were decoded from. */
export function encodeMessageAsFragments(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
  calls: EncodedCalls,
): readonly MessageFragment[] {
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  if (message.role === 'developer') context.report('developer-role', child(path, 'role'))
  const contentPath = child(path, 'content')
  const detachedSignatures: string[] = []
  let isFirstCall = true
  let parts: JsonObject[] = []
  const first = createFragment(message, parts, path)
  const { role: location } = first
  const fragments = [first]
  let index = -1
  for (const part of message.content as readonly Part[]) {
    index++
    const { contentRole } = location === 'tool' && index > 0 ? getHints(part, DIALECT_SLOT) : {}
    if (contentRole !== undefined) {
      parts = []
      fragments.push(createFragment(message, parts, path, contentRole))
    }
    const partPath = child(contentPath, index)
    const detachedSignature = location === 'assistant' ? getDetachedSignature(part) : undefined
    if (detachedSignature !== undefined) {
      context.report('signature-moved', partPath)
      detachedSignatures.push(detachedSignature)
      continue
    }
    const partContext = { path: partPath, context, location, isFirstCall, calls, detachedSignatures }
    const made = encodePart(part, partContext)
    if (part.type === 'tool-call') calls.addCall(part, made)
    if (made !== undefined) parts.push(made)
    if (isApplicationCall(part)) isFirstCall = false
  }
  // Signatures that no tool call needed follow at the end.
  for (const value of detachedSignatures) parts.push({ text: '', thoughtSignature: value })
  return fragments
}

/** Keeps a later system message at its position, as marked user text; returns undefined if it is omitted. */
export function convertLaterSystem(
  fragment: MessageFragment,
  context: EncodeContext,
): MessageFragment | undefined {
  if (fragment.role !== 'system') return fragment
  if (fragment.parts.length > 0 && !keepsLaterSystem(fragment.path, context)) return undefined
  const parts = fragment.parts.map((part) =>
    isObject(part) && Object.hasOwn(part, 'text')
      ? { ...part, text: `<system>\n${getBlockText(part)}\n</system>` }
      : part,
  )
  return { ...fragment, role: 'user', parts, hints: {} }
}

/** Encodes the leading system messages in the form that they were decoded from. */
export function encodeSystem(fragments: readonly MessageFragment[]): Json | undefined {
  const [first] = fragments
  if (first === undefined) return undefined
  const parts = fragments.flatMap((fragment) => fragment.parts)
  const form = fragments.length === 1 ? first.hints['contentForm'] : undefined
  const plainText = form === 'string' ? getPlainText(parts) : undefined
  if (plainText !== undefined) return plainText
  const restoredParts = restorePartsForm(parts, form)
  return restoredParts === undefined
    ? undefined
    : applyResidue({ parts: restoredParts }, first.message, DIALECT_SLOT)
}

/** Returns the text of a single text part without other fields, or of no parts; undefined for other parts. */
function getPlainText([only, ...others]: readonly Json[]): string | undefined {
  if (only === undefined) return ''
  const isPlain = isObject(only) && others.length === 0 && Object.keys(only).length === 1
  return isPlain && typeof only['text'] === 'string' ? only['text'] : undefined
}

export function encodeTurn(
  fragments: readonly MessageFragment[],
  context: EncodeContext,
): JsonObject | undefined {
  const first = fragments[0]
  if (first === undefined) return undefined
  const parts = fragments.length === 1 ? first.parts : fragments.flatMap((fragment) => fragment.parts)
  const form = fragments.length === 1 || parts.length === 1 ? first.hints['contentForm'] : undefined
  const restoredParts = restorePartsForm(parts, form)
  if (restoredParts === undefined) {
    for (const { path } of fragments) context.report('empty-message', path)
    return undefined
  }
  const { contentRole } = first.hints
  if (contentRole !== undefined)
    return contentRole === '' ? { parts: restoredParts } : { role: contentRole, parts: restoredParts }
  const made = { role: first.role === 'assistant' ? 'model' : 'user', parts: restoredParts }
  return applyResidue(made, first.message, DIALECT_SLOT)
}

/** Detaches the parts of a turn. What remains is a part of a longer list, so it has no form of its own. */
export const detachItems: Required<TurnWriterOptions<MessageFragment>>['detachItems'] = (
  fragments,
  { parts },
) => {
  const [first] = fragments
  if (first === undefined || parts.length === 0) return undefined
  if (hasChangedKey(first.message, DIALECT_SLOT, 'parts')) return undefined
  const { contentForm: _form, ...hints } = first.hints
  const items = fragments.flatMap((each) => each.parts)
  return { key: 'parts', items, rest: { ...first, parts: [], hints } }
}

/** Returns the parts in the form that they were decoded from, if it still fits; undefined if there are none. */
export function restorePartsForm(parts: readonly Json[], form: Json | undefined): Json | undefined {
  const only = parts[0]
  if (form === 'object' && only !== undefined && parts.length === 1) return only
  return parts.length > 0 || form === 'empty-list' ? parts : undefined
}
