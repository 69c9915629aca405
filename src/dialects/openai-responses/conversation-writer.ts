import type { Message } from '../../canonical/model/message.ts'
import type { ToolResultPart } from '../../canonical/model/part.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import {
  type ConversationWriter,
  type ConversationRemainder,
  MESSAGES_PATH,
} from '../engine/conversation-encoder.ts'
import type { WrittenElement } from '../engine/element-text.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { MessageTemplates } from '../engine/message-templates.ts'
import type { SimpleMessage } from '../engine/simple-message-reader.ts'
import type { MessageWithPath } from '../engine/tool-pairing.ts'
import { OPENING_USER_TEXT } from '../shared/validation-rules.ts'
import { createValueRules } from '../shared/value-rules.ts'
import { callIdRule, DIALECT_SLOT, toolNameRule } from './constants.ts'
import { getInstructions, encodeMessage, recordCallItems } from './messages.ts'
import { encodeAdditionalTools, getToolListNumber } from './tool-groups.ts'
import { isScreenshot } from './tool-results.ts'

const valueRules = createValueRules({ slot: DIALECT_SLOT, toolNameRule, getCallIdRule: () => callIdRule })

/** Encodes a conversation as the `instructions` field and a list of items. */
export class WireConversationWriter implements ConversationWriter {
  /** The item type of each call, by call id. */
  #callItemTypes = new Map<string, string>()
  readonly #messages = new MessageTemplates(
    (message, path, context) => encodeMessage(message, path, context, this.#callItemTypes),
    valueRules,
    (message) => recordCallItems(message, this.#callItemTypes),
  )
  #instructions: string | undefined
  #hasStarted = false
  #hasItems = false
  #finished: WrittenElement<JsonObject>[] = []
  #writtenToolLists: ReadonlySet<number> = new Set()
  readonly #tools: readonly Tool[]

  /** `tools` are the tools of the request, of which the conversation can declare some. */
  constructor(tools: readonly Tool[] = []) {
    this.#tools = tools
  }

  readSimple(message: Message, context: EncodeContext): SimpleMessage | undefined {
    return this.#messages.readSimple(message, context)
  }

  add(placed: MessageWithPath, context: EncodeContext): void {
    if (!this.#hasStarted) this.#instructions = getInstructions(placed, context)
    const isInstructions = !this.#hasStarted && this.#instructions !== undefined
    this.#hasStarted = true
    if (isInstructions) return
    const items =
      this.#encodeAdditionalTools(placed.message, context) ?? this.#messages.encode(placed, context)
    for (const item of items) {
      this.#finished.push(item)
      this.#hasItems = true
    }
  }

  /** Encodes the item of a message that declares tools; a copy of the message declares none. */
  #encodeAdditionalTools(message: Message, context: EncodeContext): readonly JsonObject[] | undefined {
    const list = getToolListNumber(message)
    if (list === undefined || this.#writtenToolLists.has(list)) return undefined
    this.#writtenToolLists = new Set([...this.#writtenToolLists, list])
    return [encodeAdditionalTools(message, this.#tools, child(undefined, 'tools'), context)]
  }

  takeFinished(): readonly WrittenElement<JsonObject>[] {
    const finished = this.#finished
    this.#finished = []
    return finished
  }

  /** Adds a user message to an empty conversation, which the provider rejects, unless it was received empty. */
  end(empty: boolean, context: EncodeContext): ConversationRemainder {
    const instructionFields =
      this.#instructions === undefined ? {} : { topLevelFields: { instructions: this.#instructions } }
    if (this.#hasItems || empty) return { ...instructionFields, remaining: this.takeFinished() }
    context.report('first-turn', MESSAGES_PATH)
    return {
      ...instructionFields,
      remaining: [{ type: 'message', role: 'user', content: OPENING_USER_TEXT }],
    }
  }

  /** The item of a screenshot contains nothing else. */
  requiresMedia(result: ToolResultPart): boolean {
    return isScreenshot(result)
  }

  /** A result has only the id of its call. */
  omitsResultName(): boolean {
    return true
  }

  fork(): WireConversationWriter {
    const other = new WireConversationWriter(this.#tools)
    other.#writtenToolLists = this.#writtenToolLists
    other.#callItemTypes = this.#callItemTypes
    other.#instructions = this.#instructions
    other.#hasStarted = this.#hasStarted
    other.#hasItems = this.#hasItems
    return other
  }
}
