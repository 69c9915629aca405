import type { Message } from '../../canonical/model/message.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { hasChangedKey } from '../engine/residue-slots.ts'
import {
  type BlockFragment,
  createBlockFragment,
  createBlockTurnOptions,
  encodeLaterTurn,
  reportTurnFields,
} from '../shared/block-turn-writer.ts'
import { getOpaqueMessage } from '../shared/opaque-content.ts'
import type { TurnWriterOptions } from '../shared/turn-writer.ts'
import { DIALECT_SLOT } from './constants.ts'
import { DocumentNamer } from './document-names.ts'
import type { BedrockHint } from './hints.ts'
import { getBlockKey } from './part-context.ts'
import { encodeParts } from './parts.ts'

export type MessageFragment = BlockFragment<BedrockHint>

/** The text beside a document in a message without text, which the API refuses. */
const DOCUMENT_TEXT = '(document attached)'

/** The keys of blocks with text. */
const textKeys: ReadonlySet<unknown> = new Set(['text', 'guardContent'])

/** Encodes the content of a message, and reports what a turn cannot contain of the message itself. */
export function encodeContent(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
  namer: DocumentNamer,
): readonly JsonObject[] {
  reportTurnFields(message, path, context)
  const location = message.role === 'assistant' ? 'assistant' : 'user'
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
  return encodeLaterTurn(createBlockFragment(message, blocks, DIALECT_SLOT, path), turnOptions, context)
}

export const turnOptions: TurnWriterOptions<MessageFragment> = createBlockTurnOptions({
  slot: DIALECT_SLOT,
  createTextBlock: (text) => ({ text }),
  isTextBlock: (block) => getBlockKey(block) === 'text',
  isSystemTurn: ({ hints }) => hints['systemInMessages'] === true,
  joinContent: joinFragmentContent,
  completeContent: addDocumentText,
  // A text may be added to a document without text, wherever it is in the turn.
  detachItems: (fragments, { blocks }) => {
    const [first] = fragments
    if (first === undefined || blocks.length === 0) return undefined
    if (hasChangedKey(first.message, DIALECT_SLOT, 'content')) return undefined
    const items = fragments.flatMap((each) => each.blocks)
    const isComplete = first.hints['documentWithoutText'] === true || hasText(items)
    const hints = { ...first.hints, documentWithoutText: true }
    return isComplete ? { key: 'content', items, rest: { ...first, blocks: [], hints } } : undefined
  },
})

/** Content that was received as an empty list is kept. */
function joinFragmentContent(fragments: readonly MessageFragment[]): readonly Json[] | undefined {
  const blocks = fragments.flatMap((each) => each.blocks)
  if (blocks.length > 0) return blocks
  const [only] = fragments
  return fragments.length === 1 && only?.hints['contentForm'] === 'empty-list' ? [] : undefined
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
