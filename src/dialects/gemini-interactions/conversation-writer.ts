import type { Message } from '../../canonical/model/message.ts'
import type { MediaPart, ToolResultPart } from '../../canonical/model/part.ts'
import { isSystemRole } from '../../canonical/read/type-guards.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import {
  type ConversationRemainder,
  type ConversationWriter,
  MESSAGES_PATH,
} from '../engine/conversation-encoder.ts'
import type { WrittenElement } from '../engine/element-text.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { MessageTemplates } from '../engine/message-templates.ts'
import { getHints } from '../engine/residue-slots.ts'
import type { SimpleMessage } from '../engine/simple-message-reader.ts'
import type { MessageWithPath } from '../engine/tool-pairing.ts'
import { OPENING_USER_TEXT } from '../shared/validation-rules.ts'
import { createValueRules } from '../shared/value-rules.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import { encodeMessage, encodeSystemTexts, recordCallNames } from './messages.ts'

const openingStep: JsonObject = { type: 'user_input', content: [{ type: 'text', text: OPENING_USER_TEXT }] }

const valueRules = createValueRules({ slot: DIALECT_SLOT, toolNameRule, writesResultName: true })

/** Encodes a conversation: leading system messages become `system_instruction`, the rest becomes steps. */
export class WireConversationWriter implements ConversationWriter {
  /** The name of the function of each call, by call id. */
  #callNames = new Map<string, string>()
  readonly #messages = new MessageTemplates(
    (message, path, context) => encodeMessage(message, path, context, this.#callNames),
    valueRules,
    (message) => recordCallNames(message, this.#callNames),
  )
  #systemTexts: { readonly text: string; readonly path: Path | undefined }[] = []
  #hasStarted = false
  #finished: WrittenElement<JsonObject>[] = []

  readSimple(message: Message, context: EncodeContext): SimpleMessage | undefined {
    return this.#messages.readSimple(message, context)
  }

  add(placed: MessageWithPath, context: EncodeContext): void {
    const { message, path } = placed
    if (!this.#hasStarted && isSystemRole(message.role)) {
      if (message.name !== undefined) context.report('message-name', child(path, 'name'))
      const texts = encodeSystemTexts(message, path, context)
      if (texts.length === 0) context.report('empty-message', path)
      for (const text of texts) this.#systemTexts.push({ text, path })
      return
    }
    const steps = this.#messages.encode(placed, context)
    if (steps.length === 0) return
    const isAssistantFirst = !this.#hasStarted && message.role === 'assistant'
    if (isAssistantFirst && getHints(message, DIALECT_SLOT)['assistantFirst'] !== true) {
      context.report('first-turn', path)
      this.#finished.push(openingStep)
    }
    this.#hasStarted = true
    for (const step of steps) this.#finished.push(step)
  }

  takeFinished(): readonly WrittenElement<JsonObject>[] {
    const finished = this.#finished
    this.#finished = []
    return finished
  }

  /** Ends the conversation. An empty one gets a step of the user, unless it was received empty. */
  end(empty: boolean, context: EncodeContext): ConversationRemainder {
    const system = this.#systemTexts.map(({ text }) => text).join('\n')
    const paths = new Set(this.#systemTexts.map(({ path }) => path))
    if (this.#systemTexts.length > 1)
      for (const path of paths) context.report('texts-joined', child(path, 'content'))
    if (!this.#hasStarted && !empty) {
      context.report('first-turn', MESSAGES_PATH)
      this.#finished.push(openingStep)
    }
    const remaining = this.takeFinished()
    return system === '' ? { remaining } : { remaining, topLevelFields: { system_instruction: system } }
  }

  /** Some models accept no media in tool results, unless it was decoded from there. */
  shouldMoveToUser(_part: MediaPart, result: ToolResultPart, { facts }: EncodeContext): boolean {
    return facts.supportsMediaInResults === false && getHints(result, DIALECT_SLOT)['contentForm'] !== 'list'
  }

  fork(): WireConversationWriter {
    const other = new WireConversationWriter()
    other.#callNames = this.#callNames
    other.#systemTexts = [...this.#systemTexts]
    other.#hasStarted = this.#hasStarted
    return other
  }
}
