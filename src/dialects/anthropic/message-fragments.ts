import type { Message } from '../../canonical/model/message.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
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
import { canMarkBlock } from './cache-markers.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { AnthropicHint } from './hints.ts'
import { encodeParts } from './parts.ts'
import { getPlainText } from './text-blocks.ts'

export type MessageFragment = BlockFragment<AnthropicHint>

/** Encodes the content of a message, and reports what a turn cannot contain of the message itself. */
export function encodeContent(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  reportTurnFields(message, path, context)
  const location = message.role === 'assistant' ? 'assistant' : 'user'
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
  const fragment = createBlockFragment(message, encodeContent(message, path, context), DIALECT_SLOT, path)
  return encodeLaterTurn(fragment, turnOptions, context)
}

export const turnOptions: TurnWriterOptions<MessageFragment> = createBlockTurnOptions({
  slot: DIALECT_SLOT,
  createTextBlock: (text) => ({ type: 'text', text }),
  isTextBlock: ({ type }) => type === 'text',
  isSystemTurn: ({ hints }, { facts }) =>
    hints['systemInMessages'] === true && facts.supportsMidConversationSystem !== false,
  supportsSystemTurn: ({ facts }) => facts.supportsMidConversationSystem === true,
  joinContent: joinFragmentContent,
  // The last message of a turn may have no block that can end the turn and have its cache marker.
  detachItems: (fragments, { blocks }) => {
    const [first] = fragments
    const end = blocks.at(-1)
    if (first === undefined || !isObject(end) || !canMarkBlock(end)) return undefined
    if (hasChangedKey(first.message, DIALECT_SLOT, 'content')) return undefined
    const items = fragments.flatMap((each) => each.blocks)
    return { key: 'content', items, rest: { ...first, blocks: [] } }
  },
})

/** The form that a single fragment was decoded from is restored if it can still represent the content. */
function joinFragmentContent(fragments: readonly MessageFragment[]): Json | undefined {
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
