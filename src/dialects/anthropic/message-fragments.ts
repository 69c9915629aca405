import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part, ReasoningPart } from '../../canonical/model/part.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { getOpaqueMessage } from '../shared/opaque-message.ts'
import { getBlockText } from '../shared/read-wire.ts'
import { applyResidue, getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, hasDifferentVendor } from './constants.ts'
import { encodeParts } from './parts.ts'
import { getPlainText } from './text-blocks.ts'
import type { AnthropicHints } from './hints.ts'

export type WireRole = 'user' | 'assistant' | 'system'

/** The encoded blocks of one canonical message, before neighbouring messages are joined. */
export interface MessageFragment {
  readonly message: Message
  readonly role: WireRole
  readonly blocks: readonly Json[]
  readonly hints: AnthropicHints
  readonly path: Path | undefined
}

/** A message whose wire form could not be decoded, with that wire form. */
export interface UndecodedTurn {
  readonly message: Message
  readonly wire: Json
}

const wireRoles: { readonly [role in Role]: WireRole } = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'user',
}

export function createFragment(
  message: Message,
  blocks: readonly Json[],
  path: Path | undefined,
): MessageFragment {
  return { message, role: wireRoles[message.role], blocks, hints: getHints(message, DIALECT_SLOT), path }
}

export function encodeFragment(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): MessageFragment {
  const { role } = message
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  if (role === 'developer') context.report('developer-role', child(path, 'role'))
  const location = role === 'assistant' ? 'assistant' : 'user'
  const blocks = encodeParts(listSentParts(message, context), child(path, 'content'), context, location)
  return createFragment(message, blocks, path)
}

/**
 * Returns the content to send. If another vendor's model wrote the message, its signatures are treated as
 * foreign, since models of several vendors are served in this dialect and each vendor signs in its own way.
 */
function listSentParts(message: Message, { options }: EncodeContext): readonly Part[] {
  if (message.role !== 'assistant' || !hasDifferentVendor(message.origin?.model, options.model))
    return message.content
  return message.content.map((part) => (part.type === 'reasoning' ? createForeignReasoning(part) : part))
}

function createForeignReasoning({ text, redacted, cache }: ReasoningPart): ReasoningPart {
  const kept = { ...(redacted && { redacted }), ...(cache && { cache }) }
  return { type: 'reasoning', text, ...kept, signature: { vendor: 'another', value: '', contentDigest: '' } }
}

/**
 * Encodes one canonical message as if it were in the middle of a conversation; returns no message for empty
 * content.
 */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  const opaqueWire = getOpaqueMessage(message, DIALECT_SLOT)
  const turn =
    opaqueWire ?? encodeTurn([convertLaterSystem(encodeFragment(message, path, context), context)], context)
  return turn === undefined ? [] : [turn]
}

/**
 * Keeps a later system message at its position: as a system message if it was decoded from one, else as
 * marked user text.
 */
export function convertLaterSystem(fragment: MessageFragment, context: EncodeContext): MessageFragment {
  if (fragment.role !== 'system' || fragment.hints['systemInMessages'] === true) return fragment
  if (fragment.blocks.length > 0) context.report('system-in-place', fragment.path)
  const blocks = fragment.blocks.map((block) => {
    return isObject(block) && block['type'] === 'text'
      ? { ...block, text: `<system>\n${getBlockText(block)}\n</system>` }
      : block
  })
  return { ...fragment, role: 'user', blocks }
}

/** Returns true if there is nothing to send. Content that was empty on the wire counts as something. */
export function isEmptyFragment({ blocks, hints }: MessageFragment): boolean {
  return blocks.length === 0 && hints['contentForm'] === undefined
}

/** Joins fragments into one wire message; returns undefined if they have no content. */
export function encodeTurn(
  fragments: readonly MessageFragment[],
  context: EncodeContext,
): JsonObject | undefined {
  const [first] = fragments
  if (first === undefined) return undefined
  const content = joinContent(fragments)
  if (content === undefined) {
    for (const { path } of fragments) context.report('empty-message', path)
    return undefined
  }
  return applyResidue({ role: first.role, content }, first.message, DIALECT_SLOT)
}

/** Trims whitespace at the end of a prefill, which the API rejects, unless the prefill was decoded with it. */
export function trimPrefill(last: MessageFragment, turn: JsonObject, context: EncodeContext): JsonObject {
  const { role, content } = turn
  if (role !== 'assistant' || last.hints['trailingWhitespace'] === true || !hasTrailingWhitespace(content))
    return turn
  context.report('trailing-space', last.path)
  if (typeof content === 'string') return { ...turn, content: content.trimEnd() }
  if (!isList(content)) return turn
  const trimmed = content.map((block, at) =>
    at === content.length - 1 && isObject(block) ? { ...block, text: getBlockText(block).trimEnd() } : block,
  )
  return { ...turn, content: trimmed }
}

/** Returns true if the last text of the content ends with whitespace. */
export function hasTrailingWhitespace(content: Json | undefined): boolean {
  const end = isList(content) ? content.at(-1) : content
  const text = isObject(end) ? end['text'] : end
  return typeof text === 'string' && text !== text.trimEnd()
}

/** Joins the blocks of fragments; returns undefined if there are none. */
export function joinContent(fragments: readonly MessageFragment[]): Json | undefined {
  const [only] = fragments
  // Most turns are one message, so its blocks are used without a copy.
  const blocks = only && fragments.length === 1 ? only.blocks : fragments.flatMap((each) => each.blocks)
  return restoreForm(blocks, fragments) ?? (blocks.length > 0 ? blocks : undefined)
}

/** Returns the content in the form that it was decoded from, if that form can still represent it. */
function restoreForm(blocks: readonly Json[], fragments: readonly MessageFragment[]): Json | undefined {
  const form = fragments.length === 1 ? fragments[0]?.hints['contentForm'] : undefined
  if (form === 'string') return blocks.length === 0 ? '' : getPlainText(blocks)
  return form === 'empty-list' && blocks.length === 0 ? [] : undefined
}
