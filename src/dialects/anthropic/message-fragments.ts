import type { Message } from '../../canonical/model/message.ts'
import { isObject, type Json, type JsonObject, getBlockText } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { ElementText, WrittenElement } from '../engine/element-text.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { type TurnRole, turnRoles } from '../shared/block-turns.ts'
import { splitItems, type TurnWriterOptions } from '../shared/turn-writer.ts'
import { getOpaqueMessage } from '../shared/opaque-content.ts'
import { applyResidue, getHints, hasChangedKey } from '../engine/residue-slots.ts'
import { keepsLaterSystem } from '../engine/content-fallback.ts'
import { canMarkBlock } from './cache-markers.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeParts } from './parts.ts'
import { getPlainText } from './text-blocks.ts'
import type { AnthropicHints } from './hints.ts'

/** The encoded blocks of one canonical message, before neighbouring messages are joined. */
export interface MessageFragment {
  readonly message: Message
  readonly role: TurnRole
  readonly blocks: readonly Json[]
  readonly hints: AnthropicHints
  readonly path: Path | undefined
  readonly itemsText?: ElementText | undefined
}

export function createFragment(
  message: Message,
  encoded: readonly WrittenElement[],
  path?: Path,
): MessageFragment {
  const { items: blocks, itemsText } = splitItems(encoded)
  const hints = getHints(message, DIALECT_SLOT)
  return { message, role: turnRoles[message.role], blocks, hints, path, itemsText }
}

/** Encodes the content of a message, and reports what a turn cannot contain of the message itself. */
export function encodeContent(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  const { role } = message
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  if (role === 'developer') context.report('developer-role', child(path, 'role'))
  const location = role === 'assistant' ? 'assistant' : 'user'
  return encodeParts(message.content, child(path, 'content'), context, location)
}

/** Encodes one canonical message as if it were in the middle of a conversation. */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  const opaqueWire = getOpaqueMessage(message, DIALECT_SLOT)
  if (opaqueWire !== undefined) return [opaqueWire]
  const encoded = createFragment(message, encodeContent(message, path, context), path)
  const fragment = convertLaterSystem(encoded, context)
  const turn = fragment && encodeTurn([fragment], context)
  return turn === undefined ? [] : [turn]
}

/** Returns true for a system message that was decoded from `messages`, unless this model refuses it there. */
export function isReceivedInMessages({ hints }: MessageFragment, { facts }: EncodeContext): boolean {
  return hints['systemInMessages'] === true && facts.supportsMidConversationSystem !== false
}

/**
 * Marks the text of a later system message as user text, unless it was decoded from a system message; returns undefined if the
 * message is omitted.
 */
export function convertLaterSystem(
  fragment: MessageFragment,
  context: EncodeContext,
): MessageFragment | undefined {
  if (fragment.role !== 'system' || isReceivedInMessages(fragment, context)) return fragment
  if (fragment.blocks.length > 0 && !keepsLaterSystem(fragment.path, context)) return undefined
  const blocks = fragment.blocks.map((block) =>
    isObject(block) && block['type'] === 'text'
      ? { ...block, text: `<system>\n${getBlockText(block)}\n</system>` }
      : block,
  )
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
  const content = joinFragmentContent(fragments)
  if (content === undefined) {
    for (const { path } of fragments) context.report('empty-message', path)
    return undefined
  }
  return applyResidue({ role: first.role, content }, first.message, DIALECT_SLOT)
}

/** Detaches the blocks of a turn, unless the last message has no block that can end the turn and have its cache marker. */
export const detachItems: Required<TurnWriterOptions<MessageFragment>>['detachItems'] = (
  fragments,
  { blocks },
) => {
  const [first] = fragments
  const end = blocks.at(-1)
  if (first === undefined || !isObject(end) || !canMarkBlock(end)) return undefined
  if (hasChangedKey(first.message, DIALECT_SLOT, 'content')) return undefined
  const items = fragments.flatMap((each) => each.blocks)
  return { key: 'content', items, rest: { ...first, blocks: [] } }
}

/**
 * Joins the blocks of fragments; returns undefined if there are none. The form that a single fragment was
 * decoded from is restored if it can still represent the content.
 */
export function joinFragmentContent(fragments: readonly MessageFragment[]): Json | undefined {
  const [only] = fragments
  if (only === undefined || fragments.length > 1) {
    const blocks = fragments.flatMap((each) => each.blocks)
    return blocks.length > 0 ? blocks : undefined
  }
  const { blocks, hints } = only
  const isString = hints['contentForm'] === 'string'
  if (blocks.length > 0) return (isString ? getPlainText(blocks) : undefined) ?? blocks
  if (isString) return ''
  return hints['contentForm'] === 'empty-list' ? [] : undefined
}
