import type { Message } from '../../canonical/model/message.ts'
import { getBlockText, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { keepsLaterSystem } from '../engine/content-fallback.ts'
import type { ElementText, WrittenElement } from '../engine/element-text.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, getHints, hasChangedKey } from '../engine/residue-slots.ts'
import { getOpaqueMessage } from '../shared/opaque-content.ts'
import { type TurnRole, turnRoles } from '../shared/block-turns.ts'
import { splitItems, type TurnWriterOptions } from '../shared/turn-writer.ts'
import { DIALECT_SLOT } from './constants.ts'
import { DocumentNamer } from './document-names.ts'
import type { BedrockHints } from './hints.ts'
import { getBlockKey } from './part-context.ts'
import { encodeParts } from './parts.ts'

/** The encoded blocks of one canonical message, before neighbouring messages are joined. */
export interface MessageFragment {
  readonly message: Message
  readonly role: TurnRole
  readonly blocks: readonly Json[]
  readonly hints: BedrockHints
  readonly path: Path | undefined
  readonly itemsText?: ElementText | undefined
}

/** The text beside a document in a message without text, which the API refuses. */
const DOCUMENT_TEXT = '(document attached)'

/** The keys of blocks with text. */
const textKeys: ReadonlySet<unknown> = new Set(['text', 'guardContent'])

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
  namer: DocumentNamer,
): readonly JsonObject[] {
  const { role } = message
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  if (role === 'developer') context.report('developer-role', child(path, 'role'))
  const location = role === 'assistant' ? 'assistant' : 'user'
  return encodeParts(message.content, child(path, 'content'), context, location, namer)
}

/** Encodes one canonical message as if it were in the middle of a conversation. */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  const opaqueWire = getOpaqueMessage(message, DIALECT_SLOT)
  if (opaqueWire !== undefined) return [opaqueWire]
  const blocks = encodeContent(message, path, context, new DocumentNamer())
  const encoded = createFragment(message, blocks, path)
  const fragment = convertLaterSystem(encoded, context)
  const turn = fragment && encodeTurn([fragment], context)
  return turn === undefined ? [] : [turn]
}

/** Returns true for a system message that was decoded from `messages`. */
export function isReceivedInMessages({ hints }: MessageFragment): boolean {
  return hints['systemInMessages'] === true
}

/**
 * Marks the text of a later system message as user text, unless it was decoded from a system message; returns undefined if the
 * message is omitted.
 */
export function convertLaterSystem(
  fragment: MessageFragment,
  context: EncodeContext,
): MessageFragment | undefined {
  if (fragment.role !== 'system' || isReceivedInMessages(fragment)) return fragment
  if (fragment.blocks.length > 0 && !keepsLaterSystem(fragment.path, context)) return undefined
  const blocks = fragment.blocks.map((block) =>
    isObject(block) && getBlockKey(block) === 'text'
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
  const complete = addDocumentText(content, first, context)
  return applyResidue({ role: first.role, content: complete }, first.message, DIALECT_SLOT)
}

/**
 * Adds a text to content with a document: "If you include a ContentBlock with a document field in the array, you must also
 * include a ContentBlock with a text field." (API_runtime_Message)
 */
function addDocumentText(
  content: readonly Json[],
  { hints, path }: MessageFragment,
  context: EncodeContext,
): readonly Json[] {
  if (hints['documentWithoutText'] === true || !isDocumentWithoutText(content)) return content
  context.report('document-text', path)
  // Tool results come first.
  const position = content.findIndex((block) => getBlockKey(block) === 'document')
  return content.toSpliced(position, 0, { text: DOCUMENT_TEXT })
}

/** Returns true for content with a document but without text. */
export function isDocumentWithoutText(content: readonly Json[]): boolean {
  return content.some((block) => getBlockKey(block) === 'document') && !hasText(content)
}

function hasText(content: readonly Json[]): boolean {
  return content.some((block) => textKeys.has(getBlockKey(block)))
}

/** Detaches the blocks of a turn, unless a document without text is among them: a text may be added to it. */
export const detachItems: Required<TurnWriterOptions<MessageFragment>>['detachItems'] = (
  fragments,
  { blocks },
) => {
  const [first] = fragments
  if (first === undefined || blocks.length === 0) return undefined
  if (hasChangedKey(first.message, DIALECT_SLOT, 'content')) return undefined
  const items = fragments.flatMap((each) => each.blocks)
  const isComplete = first.hints['documentWithoutText'] === true || hasText(items)
  const hints = { ...first.hints, documentWithoutText: true }
  return isComplete ? { key: 'content', items, rest: { ...first, blocks: [], hints } } : undefined
}

/** Joins the blocks of fragments; returns undefined if there are none, unless the content was received as an empty list. */
export function joinFragmentContent(fragments: readonly MessageFragment[]): readonly Json[] | undefined {
  const blocks = fragments.flatMap((each) => each.blocks)
  if (blocks.length > 0) return blocks
  const [only] = fragments
  return fragments.length === 1 && only?.hints['contentForm'] === 'empty-list' ? [] : undefined
}
