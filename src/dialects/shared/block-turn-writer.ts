// For dialects whose turns are lists of content blocks, in which tool results are blocks of the user: anthropic and bedrock.
import type { Message } from '../../canonical/model/message.ts'
import { getBlockText, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { keepsLaterSystem } from '../engine/content-fallback.ts'
import type { ConversationWriter } from '../engine/conversation-encoder.ts'
import type { ElementText, WrittenElement } from '../engine/element-text.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { MessageTemplates } from '../engine/message-templates.ts'
import { applyResidue, getHints, type Slot } from '../engine/residue-slots.ts'
import type { SimpleMessage } from '../engine/simple-message-reader.ts'
import type { MessageWithPath } from '../engine/tool-pairing.ts'
import { trimPrefill, type TurnPositionHint, type TurnRole, turnRoles } from './block-turns.ts'
import { getOpaqueMessage } from './opaque-content.ts'
import { splitItems, TurnWriter, type TurnWriterOptions } from './turn-writer.ts'
import { OPENING_USER_TEXT } from './validation-rules.ts'

/** The hints on the form of a turn. */
type TurnHint = TurnPositionHint | 'contentForm'

/** The encoded blocks of one canonical message, before neighbouring messages are joined. */
export interface BlockFragment<Name extends string> {
  readonly message: Message
  readonly role: TurnRole
  readonly blocks: readonly Json[]
  readonly hints: Hints<Name | TurnHint>
  readonly path: Path | undefined
  readonly itemsText?: ElementText | undefined
}

/** Returns the encoded content of a message as the fragment of a turn. */
export function createBlockFragment<Name extends string>(
  message: Message,
  encoded: readonly WrittenElement[],
  slot: Slot<Name | TurnHint>,
  path?: Path,
): BlockFragment<Name> {
  const { items: blocks, itemsText } = splitItems(encoded)
  return { message, role: turnRoles[message.role], blocks, hints: getHints(message, slot), path, itemsText }
}

/** Reports the fields of a message that a turn cannot contain. */
export function reportTurnFields(
  { name, role }: Message,
  path: Path | undefined,
  context: EncodeContext,
): void {
  if (name !== undefined) context.report('message-name', child(path, 'name'))
  if (role === 'developer') context.report('developer-role', child(path, 'role'))
}

/** How a dialect writes turns of blocks. */
interface BlockTurnFormat<Name extends string, Content extends Json> extends Pick<
  TurnWriterOptions<BlockFragment<Name>>,
  'supportsSystemTurn' | 'detachItems'
> {
  readonly slot: Slot<Name | TurnHint>
  readonly createTextBlock: (text: string) => JsonObject
  readonly isTextBlock: (block: JsonObject) => boolean
  /** Returns true for a system message that was decoded from `messages`, unless this model refuses it there. */
  readonly isSystemTurn: (fragment: BlockFragment<Name>, context: EncodeContext) => boolean
  /** Joins the blocks of fragments; returns undefined if they have no content. */
  readonly joinContent: (fragments: readonly BlockFragment<Name>[]) => Content | undefined
  /** Adds to the content of a turn what the API requires. */
  readonly completeContent?: (content: Content, first: BlockFragment<Name>, context: EncodeContext) => Content
}

/** Returns how messages are joined: consecutive ones of one role form a turn, unless they were separate when decoded. */
export function createBlockTurnOptions<Name extends string, Content extends Json>(
  format: BlockTurnFormat<Name, Content>,
): TurnWriterOptions<BlockFragment<Name>> {
  const { slot, isSystemTurn, isTextBlock, joinContent, completeContent } = format
  return {
    ...format,
    encodeSystem: (leading) => {
      const system = joinContent(leading)
      return system === undefined ? undefined : { system }
    },
    convertLaterSystem: (fragment, context) => {
      if (fragment.role !== 'system' || isSystemTurn(fragment, context)) return fragment
      if (fragment.blocks.length > 0 && !keepsLaterSystem(fragment.path, context)) return undefined
      const blocks = fragment.blocks.map((block) =>
        isObject(block) && isTextBlock(block)
          ? { ...block, text: `<system>\n${getBlockText(block)}\n</system>` }
          : block,
      )
      return { ...fragment, role: 'user', blocks }
    },
    // Content that was empty on the wire counts as something to send.
    isEmpty: ({ blocks, hints }) => blocks.length === 0 && hints['contentForm'] === undefined,
    shouldJoin: ([first], next) => first?.role === next.role && next.hints['startsWireMessage'] !== true,
    withItems: (fragment, blocks) => ({ ...fragment, blocks, itemsText: undefined }),
    encodeTurn: (fragments, context) => {
      const [first] = fragments
      if (first === undefined) return undefined
      const joined = joinContent(fragments)
      if (joined === undefined) {
        for (const { path } of fragments) context.report('empty-message', path)
        return undefined
      }
      const content = completeContent?.(joined, first, context) ?? joined
      return applyResidue({ role: first.role, content }, first.message, slot)
    },
    isValidStart: ({ hints }, { role }) => role !== 'assistant' || hints['assistantFirst'] === true,
    openingTurn: { role: 'user', content: [format.createTextBlock(OPENING_USER_TEXT)] },
    adjustLastTurn: trimPrefill,
  }
}

/** Encodes a fragment as a turn in the middle of a conversation. */
export function encodeLaterTurn<Name extends string>(
  fragment: BlockFragment<Name>,
  options: TurnWriterOptions<BlockFragment<Name>>,
  context: EncodeContext,
): readonly JsonObject[] {
  const converted = options.convertLaterSystem(fragment, context)
  const turn = converted && options.encodeTurn([converted], context)
  return turn === undefined ? [] : [turn]
}

/** Encodes a conversation: leading system messages become `system`, the rest becomes `messages`. */
export abstract class BlockTurnWriter<Name extends string>
  extends TurnWriter<BlockFragment<Name>>
  implements ConversationWriter
{
  readonly #slot: Slot<Name | TurnHint>
  readonly #content: MessageTemplates

  constructor(
    slot: Slot<Name | TurnHint>,
    options: TurnWriterOptions<BlockFragment<Name>>,
    content: MessageTemplates,
  ) {
    super(options)
    this.#slot = slot
    this.#content = content
  }

  readSimple(message: Message, context: EncodeContext): SimpleMessage | undefined {
    return this.#content.readSimple(message, context)
  }

  add(placed: MessageWithPath, context: EncodeContext): void {
    const { message, path } = placed
    const wire = getOpaqueMessage(message, this.#slot)
    if (wire !== undefined) return this.addFragment({ wire }, context)
    const encoded = this.#content.encode(placed, context)
    this.addFragment(createBlockFragment(message, encoded, this.#slot, path), context)
  }

  /** A result has only the id of its call. */
  omitsResultName(): boolean {
    return true
  }

  abstract fork(): BlockTurnWriter<Name>
}
