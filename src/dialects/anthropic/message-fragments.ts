import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part, ReasoningPart } from '../../canonical/model/part.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { getOpaqueMessage } from '../shared/opaque-message.ts'
import { getBlockText } from '../shared/read-wire.ts'
import { applyResidue, getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, hasDifferentVendor } from './constants.ts'
import { encodeParts } from './parts.ts'
import { getPlainText } from './text-blocks.ts'
import type { AnthropicHint } from './hints.ts'

export type WireRole = 'user' | 'assistant' | 'system'

/** What one of our messages is on the wire, before neighbours join. */
export interface MessageFragment {
  readonly message: Message
  readonly role: WireRole
  readonly blocks: readonly Json[]
  readonly hints: Hints<AnthropicHint>
  readonly path: Path | undefined
}

/** A message that we could not take apart, and the turn that it holds. */
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

/** What a message says to a model: models of other makers speak this format, too, and sign as they like. */
function listSentParts(message: Message, { options }: EncodeContext): readonly Part[] {
  if (message.role !== 'assistant' || !hasDifferentVendor(message.origin?.model, options.model))
    return message.content
  return message.content.map((part) => (part.type === 'reasoning' ? createForeignReasoning(part) : part))
}

function createForeignReasoning({ text, redacted, cache }: ReasoningPart): ReasoningPart {
  const kept = { ...(redacted && { redacted }), ...(cache && { cache }) }
  return { type: 'reasoning', text, ...kept, signature: { vendor: 'another', value: '', contentDigest: '' } }
}

/** Writes one of our messages as it stands in the middle of a conversation; none where it says nothing. */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  const unread = getOpaqueMessage(message, DIALECT_SLOT)
  const turn =
    unread ?? encodeTurn([convertLaterSystem(encodeFragment(message, path, context), context)], context)
  return turn === undefined ? [] : [turn]
}

/** Later instructions stay where they are: as they came, or as marked text of the user. */
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

/** Nothing to send: its neighbours stand next to each other. Content that came empty is something. */
export function isEmptyFragment({ blocks, hints }: MessageFragment): boolean {
  return blocks.length === 0 && hints['contentForm'] === undefined
}

/** The turn that fragments are together; undefined where that is nothing. */
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

/** An answer at the end that the model is to go on with: white space after it is refused, unless it came so. */
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

/** Whether white space is the last thing that is said. */
export function hasTrailingWhitespace(content: Json | undefined): boolean {
  const end = isList(content) ? content.at(-1) : content
  const text = isObject(end) ? end['text'] : end
  return typeof text === 'string' && text !== text.trimEnd()
}

/** What the fragments say together; undefined where that is nothing. */
export function joinContent(fragments: readonly MessageFragment[]): Json | undefined {
  const [only] = fragments
  // Most turns are one message, whose blocks need not be copied.
  const blocks = only && fragments.length === 1 ? only.blocks : fragments.flatMap((each) => each.blocks)
  return restoreForm(blocks, fragments) ?? (blocks.length > 0 ? blocks : undefined)
}

/** Content in the form that it came in, as long as that form can still hold it. */
function restoreForm(blocks: readonly Json[], fragments: readonly MessageFragment[]): Json | undefined {
  const form = fragments.length === 1 ? fragments[0]?.hints['contentForm'] : undefined
  if (form === 'string') return blocks.length === 0 ? '' : getPlainText(blocks)
  return form === 'empty-list' && blocks.length === 0 ? [] : undefined
}
