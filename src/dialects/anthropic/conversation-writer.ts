import type { Message } from '../../canonical/model/message.ts'
import type { ConversationWriter } from '../engine/conversation-encoder.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { MessageTemplates } from '../engine/message-templates.ts'
import type { SimpleMessage } from '../engine/simple-message-reader.ts'
import type { MessageWithPath } from '../engine/tool-pairing.ts'
import { trimPrefill } from '../shared/block-turns.ts'
import { type TurnWriterOptions, TurnWriter } from '../shared/turn-writer.ts'
import { OPENING_USER_TEXT } from '../shared/validation-rules.ts'
import { claudePropertyKeyRule } from '../shared/claude-tools.ts'
import { hasOnlyValidKeys } from '../shared/property-keys.ts'
import { createValueRules } from '../shared/value-rules.ts'
import { getOpaqueMessage } from '../shared/opaque-content.ts'
import { callIdRule, DIALECT_SLOT, toolNameRule } from './constants.ts'
import {
  detachItems,
  joinFragmentContent,
  type MessageFragment,
  createFragment,
  encodeContent,
  convertLaterSystem,
  isEmptyFragment,
  isReceivedInMessages,
  encodeTurn,
} from './message-fragments.ts'

const valueRules = createValueRules({
  slot: DIALECT_SLOT,
  toolNameRule,
  keepsArguments: (value) => hasOnlyValidKeys(value, claudePropertyKeyRule),
  getCallIdRule: () => callIdRule,
})

/** Consecutive messages of one role form one turn, unless they were separate when decoded. */
const turnFormat: TurnWriterOptions<MessageFragment> = {
  encodeSystem: (leading) => {
    const system = joinFragmentContent(leading)
    return system === undefined ? undefined : { system }
  },
  isSystemTurn: isReceivedInMessages,
  supportsSystemTurn: ({ facts }) => facts.supportsMidConversationSystem === true,
  convertLaterSystem,
  isEmpty: isEmptyFragment,
  shouldJoin: ([first], next) => first?.role === next.role && next.hints['startsWireMessage'] !== true,
  withItems: (fragment, blocks) => ({ ...fragment, blocks, itemsText: undefined }),
  encodeTurn,
  detachItems,
  isValidStart: ({ hints }, { role }) => role !== 'assistant' || hints['assistantFirst'] === true,
  openingTurn: { role: 'user', content: [{ type: 'text', text: OPENING_USER_TEXT }] },
  adjustLastTurn: trimPrefill,
}

/** Encodes a conversation: leading system messages become `system`, the rest becomes `messages`. */
export class WireConversationWriter extends TurnWriter<MessageFragment> implements ConversationWriter {
  readonly #content = new MessageTemplates(encodeContent, valueRules)

  constructor() {
    super(turnFormat)
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

  /** A result has only the id of its call. */
  omitsResultName(): boolean {
    return true
  }

  fork(): WireConversationWriter {
    return this.copyTo(new WireConversationWriter())
  }
}
