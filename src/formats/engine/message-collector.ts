import type { Message } from '../../canonical/model/message.ts'
import type { AssistantPart, Part, ToolPart } from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import type { Json } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { ReadingContext } from './message-format.ts'

/** Returns the collected message with what was read from its wire message. */
type CompleteMessage = (message: Message) => Message

/**
 * Collects messages of a format whose items are smaller than a message: consecutive tool results become one tool message,
 * and consecutive items of an answer become one assistant message.
 */
export class MessageCollector {
  readonly #context: ReadingContext
  readonly #path: Path | undefined
  readonly #messages: Message[] = []
  #role: 'assistant' | 'tool' = 'tool'
  #parts: Part[] = []
  #id: Json | undefined
  #complete: CompleteMessage | undefined

  constructor(path: Path | undefined, context: ReadingContext) {
    this.#path = path
    this.#context = context
  }

  /** Adds a result to the open tool message. The first one that has an id names the message. */
  addResult(part: ToolPart, id?: Json): void {
    this.#addPart('tool', part, id)
  }

  /** Adds a part to the open assistant message. The first one that has an id names the message. */
  addAnswerPart(part: AssistantPart, id?: Json): void {
    this.#addPart('assistant', part, id)
  }

  /** Ends the open message, and adds a complete one. */
  addMessage(message: Message): void {
    this.close()
    this.#messages.push(message)
  }

  /** Makes the open assistant message that of a wire message; if it already has one, another message is started. */
  startAnswer(id: Json | undefined, complete: CompleteMessage): void {
    if (this.#role !== 'assistant' || this.#complete !== undefined) this.close()
    this.#role = 'assistant'
    this.#id = id
    this.#complete = complete
  }

  /** Returns the parts of the open assistant message, which a complete message continues. */
  takeAnswerParts(): readonly AssistantPart[] {
    if (this.#role !== 'assistant') this.close()
    const parts = this.#parts as readonly AssistantPart[]
    this.#parts = []
    return parts
  }

  /** Returns the type of the last part of the open assistant message; undefined if it has none. */
  getLastAnswerType(): Part['type'] | undefined {
    return this.#role === 'assistant' ? this.#parts.at(-1)?.type : undefined
  }

  /** Ends the open message. */
  close(): void {
    const complete = this.#complete
    if (this.#parts.length === 0 && complete === undefined) return
    const fields = { id: this.#context.messageId(this.#id), role: this.#role, content: this.#parts }
    const message = checkAndFreezeMessage(fields as Message, this.#path)
    this.#messages.push(complete === undefined ? message : complete(message))
    this.#parts = []
    this.#complete = undefined
    this.#id = undefined
  }

  /** Ends the open message, and returns all messages. */
  finish(): readonly Message[] {
    this.close()
    return this.#messages
  }

  #addPart(role: 'assistant' | 'tool', part: Part, id: Json | undefined): void {
    if (this.#role !== role) this.close()
    this.#role = role
    this.#id ??= id
    this.#parts.push(part)
  }
}
