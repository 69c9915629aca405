import type { Message } from '../../canonical/model/message.ts'
import type { MediaPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { ConversationWriter } from '../engine/conversation-encoder.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { MessageTemplates } from '../engine/message-templates.ts'
import { getTextOfPlainMessage } from '../engine/plain-text-encoder.ts'
import type { SimpleMessage } from '../engine/simple-message-reader.ts'
import type { MessageWithPath } from '../engine/tool-pairing.ts'
import { type TurnWriterOptions, TurnWriter } from '../shared/turn-writer.ts'
import { OPENING_USER_TEXT } from '../shared/validation-rules.ts'
import { createValueRules } from '../shared/value-rules.ts'
import { getOpaqueMessage } from '../shared/opaque-content.ts'
import { getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import {
  type MessageFragment,
  createFragment,
  encodeMessageAsFragments,
  convertLaterSystem,
  detachItems,
  isEmptyFragment,
  encodeSystem,
  encodeTurn,
} from './message-fragments.ts'
import { EncodedCalls } from './encoded-calls.ts'
import { canSendCallId } from './tool-calls.ts'

const valueRules = createValueRules({ slot: DIALECT_SLOT, toolNameRule, writesResultName: true })

/** Consecutive assistant or tool messages are joined; others only if they were decoded from one content. */
const turnFormat: TurnWriterOptions<MessageFragment> = {
  encodeSystem: (leading) => {
    const systemInstruction = encodeSystem(leading)
    return systemInstruction === undefined ? undefined : { systemInstruction }
  },
  isSystemTurn: (_fragment, { facts }) => facts.refusedFeatures?.includes('system-text') === true,
  convertLaterSystem,
  isEmpty: isEmptyFragment,
  shouldJoin(open, { role, hints }) {
    const previousRole = open.at(-1)?.role
    if (hints['startsWireMessage'] === true) return false
    return hints['continuesWireMessage'] === true
      ? (role === 'assistant') === (previousRole === 'assistant')
      : role === previousRole && role !== 'user'
  },
  withItems: (fragment, parts) => ({ ...fragment, parts, itemsText: undefined }),
  encodeTurn,
  detachItems,
  isValidStart: ({ hints }, { role }) => role !== 'model' || hints['assistantFirst'] === true,
  openingTurn: { role: 'user', parts: [{ text: OPENING_USER_TEXT }] },
}

/** Encodes a conversation: leading system messages become `systemInstruction`, the rest becomes `contents`. */
export class WireConversationWriter extends TurnWriter<MessageFragment> implements ConversationWriter {
  readonly matchesByOrder = true
  readonly #calls: EncodedCalls
  readonly #content = new MessageTemplates(
    (message, path, context) =>
      encodeMessageAsFragments(message, path, context, this.#calls).flatMap(({ parts }) => parts),
    valueRules,
    (message, context) => this.#calls.addCopied(message, canSendCallId({}, context)),
  )

  constructor(calls: EncodedCalls = new EncodedCalls()) {
    super(turnFormat)
    this.#calls = calls
  }

  readSimple(message: Message, context: EncodeContext): SimpleMessage | undefined {
    return this.#content.readSimple(message, context)
  }

  add(placed: MessageWithPath, context: EncodeContext): void {
    const { message, path, simple } = placed
    const wire = getOpaqueMessage(message, DIALECT_SLOT)
    if (wire !== undefined) this.addFragment({ wire }, context)
    else if (simple !== undefined || getTextOfPlainMessage(message) !== undefined) {
      const encoded = this.#content.encode(placed, context)
      this.addFragment(createFragment(message, encoded, path), context)
    } else
      for (const fragment of encodeMessageAsFragments(message, path, context, this.#calls))
        this.addFragment(fragment, context)
  }

  /** Some models accept no media in tool results, unless it was decoded from there. */
  shouldMoveToUser(_part: MediaPart, result: ToolResultPart, { facts }: EncodeContext): boolean {
    return facts.supportsMediaInResults === false && getHints(result, DIALECT_SLOT)['hasMediaParts'] !== true
  }

  fork(): WireConversationWriter {
    return this.copyTo(new WireConversationWriter(this.#calls.fork()))
  }
}
