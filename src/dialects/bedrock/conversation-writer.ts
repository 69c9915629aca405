import { trimPrefill } from '../shared/block-turns.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { MediaPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { ConversationWriter } from '../engine/conversation-encoder.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { MessageTemplates } from '../engine/message-templates.ts'
import type { SimpleMessage } from '../engine/simple-message-reader.ts'
import type { MessageWithPath } from '../engine/tool-pairing.ts'
import { getOpaqueMessage } from '../shared/opaque-content.ts'
import { type TurnWriterOptions, TurnWriter } from '../shared/turn-writer.ts'
import { OPENING_USER_TEXT } from '../shared/validation-rules.ts'
import { claudePropertyKeyRule } from '../shared/claude-tools.ts'
import { hasOnlyValidKeys } from '../shared/property-keys.ts'
import { createValueRules } from '../shared/value-rules.ts'
import { DIALECT_SLOT, getCallIdRule, toolNameRule } from './constants.ts'
import { DocumentNamer } from './document-names.ts'
import { isAcceptedIn } from './media.ts'
import {
  convertLaterSystem,
  detachItems,
  createFragment,
  encodeContent,
  encodeTurn,
  isEmptyFragment,
  isReceivedInMessages,
  joinFragmentContent,
  type MessageFragment,
} from './message-fragments.ts'

const valueRules = createValueRules({
  slot: DIALECT_SLOT,
  toolNameRule,
  keepsArguments: (value) => hasOnlyValidKeys(value, claudePropertyKeyRule),
  getCallIdRule,
})

/** Consecutive messages of one role form one turn, unless they were separate when decoded. */
const turnFormat: TurnWriterOptions<MessageFragment> = {
  encodeSystem: (leading) => {
    const system = joinFragmentContent(leading)
    return system === undefined ? undefined : { system }
  },
  isSystemTurn: isReceivedInMessages,
  convertLaterSystem,
  isEmpty: isEmptyFragment,
  shouldJoin: ([first], next) => first?.role === next.role && next.hints['startsWireMessage'] !== true,
  withItems: (fragment, blocks) => ({ ...fragment, blocks, itemsText: undefined }),
  encodeTurn,
  detachItems,
  isValidStart: ({ hints }, { role }) => role !== 'assistant' || hints['assistantFirst'] === true,
  openingTurn: { role: 'user', content: [{ text: OPENING_USER_TEXT }] },
  adjustLastTurn: trimPrefill,
}

/** Encodes a conversation: leading system messages become `system`, the rest becomes `messages`. */
export class WireConversationWriter extends TurnWriter<MessageFragment> implements ConversationWriter {
  readonly #namer: DocumentNamer
  readonly #content = new MessageTemplates(
    (message, path, context) => encodeContent(message, path, context, this.#namer),
    valueRules,
  )

  constructor(namer: DocumentNamer = new DocumentNamer()) {
    super(turnFormat)
    this.#namer = namer
  }

  readSimple(message: Message, context: EncodeContext): SimpleMessage | undefined {
    return this.#content.readSimple(message, context)
  }

  add(placed: MessageWithPath, context: EncodeContext): void {
    const { message, path } = placed
    const wire = getOpaqueMessage(message, DIALECT_SLOT)
    const fragment =
      wire === undefined ? createFragment(message, this.#content.encode(placed, context), path) : { wire }
    this.addFragment(fragment, context)
  }

  /** A result may contain all media but audio. */
  shouldMoveToUser(part: MediaPart, _result: ToolResultPart): boolean {
    return !isAcceptedIn(part.type, 'result')
  }

  /** A result has only the id of its call. */
  omitsResultName(): boolean {
    return true
  }

  fork(): WireConversationWriter {
    return this.copyTo(new WireConversationWriter(this.#namer.fork()))
  }
}
