import type { MessageBuffer } from '../canonical/collections/message-buffer.ts'
import { bufferOf, Messages } from '../canonical/collections/messages.ts'
import type { Loss, Translated } from '../canonical/model/loss.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import { Conversation } from './conversation.ts'
import type { EncodeOptions } from './dialect.ts'
import { type Encoding, encodeWith, encodingFor } from './encoding.ts'
import { addMessage, encodeRequest, isEmpty, prepare, type RequestCodec, writeBody } from './requests.ts'

/** How many texts are kept of one conversation: a few hosts or models at a time. */
const MOST_TEXTS = 4

/** Stands for the list of the conversation until its text is put there. */
const LIST: readonly Json[] = Object.freeze(['the conversation'])

/**
 * A request as JSON text. Where a growing conversation was encoded before, only what is new is written: its beginning is
 * kept, as text, with the messages that it shares.
 */
export function encodeRequestText(
  codec: RequestCodec,
  request: ChatRequest,
  options: EncodeOptions,
): Translated<string> {
  const kept =
    request.messages instanceof Messages ? keptText(codec, request, request.messages, options) : undefined
  if (kept !== undefined) {
    const { value, losses } = encodeWith(codec.name, options, (encoding, repeat) =>
      grownText(codec, request, kept, encoding, repeat),
    )
    if (value !== undefined) return Object.freeze({ value, losses })
  }
  return encodeWith(codec.name, options, (encoding) =>
    listLast(encodeRequest(codec, request, encoding), codec.requests.list),
  )
}

/** The text around a conversation whose beginning is kept; undefined where it cannot be told from its beginning. */
function grownText(
  codec: RequestCodec,
  request: ChatRequest,
  kept: ConversationText,
  encoding: Encoding,
  repeat: (known: readonly Loss[]) => void,
): string | undefined {
  const prepared = prepare(codec, request, encoding)
  // What the model or its host wants otherwise in the conversation itself is not what is kept.
  if (prepared.fitted.messages !== request.messages) return undefined
  const { list, count, beside, losses } = kept.end(isEmpty(prepared))
  // One element alone may go in another form.
  if (count < 2) return undefined
  repeat(kept.losses)
  repeat(losses)
  return aroundList(writeBody(codec, prepared, { ...(beside && { beside }), rest: LIST }), list)
}

/** What a conversation grows at is the end of its text. */
function listLast(body: JsonObject, key: string): string {
  const { [key]: list, ...others } = body
  return JSON.stringify(list === undefined ? others : { ...others, [key]: list })
}

function aroundList(body: JsonObject, list: string): string | undefined {
  const key = Object.keys(body).find((each) => body[each] === LIST)
  if (key === undefined) return undefined
  const { [key]: _list, ...others } = body
  const before = JSON.stringify(others).slice(0, -1)
  return `${before}${before === '{' ? '' : ','}${JSON.stringify(key)}:[${list}]}`
}

/** A conversation as it is kept: written as far as no later message can change it. */
class ConversationText {
  readonly losses: Loss[] = []
  readonly #codec: RequestCodec
  readonly #encoding: Encoding
  readonly #conversation: Conversation
  #size = 0
  #text = ''
  #count = 0

  constructor(codec: RequestCodec, options: EncodeOptions) {
    this.#codec = codec
    this.#encoding = encodingFor(codec.name, options, (loss) => this.losses.push(loss))
    this.#conversation = new Conversation(codec.name, codec.requests.converse(), this.#encoding)
  }

  /** How many messages are written. */
  get size(): number {
    return this.#size
  }

  grow({ items }: MessageBuffer, size: number): void {
    for (; this.#size < size; this.#size++) {
      const message = items[this.#size]
      if (message !== undefined)
        addMessage(this.#codec, this.#conversation, message, this.#size, this.#encoding)
    }
    const closed = this.#conversation.take()
    this.#text = joined(this.#text, closed)
    this.#count += closed.length
  }

  /** The whole list where nothing more comes; what is kept stays as it is. */
  end(empty: boolean): {
    readonly list: string
    readonly count: number
    readonly beside?: JsonObject
    readonly losses: readonly Loss[]
  } {
    const losses: Loss[] = []
    const heard = encodingFor(this.#codec.name, this.#encoding.options, (loss) => losses.push(loss))
    const { rest, beside } = this.#conversation.fork(heard).end(empty)
    return {
      list: joined(this.#text, rest),
      count: this.#count + rest.length,
      ...(beside && { beside }),
      losses,
    }
  }
}

/** Engines append to a text without copying what it holds. */
function joined(text: string, elements: readonly Json[]): string {
  return elements.reduce<string>(
    (list, element) => `${list}${list === '' ? '' : ','}${JSON.stringify(element)}`,
    text,
  )
}

/** What is kept of conversations, by what decides how they are written; the one used last stands last. */
const texts = new WeakMap<MessageBuffer, Map<string, ConversationText | undefined>>()

/**
 * The text that is kept of a conversation. A first encoding keeps nothing: most conversations are encoded once. One from
 * which a longer one has grown is written anew.
 */
function keptText(
  codec: RequestCodec,
  request: ChatRequest,
  messages: Messages,
  options: EncodeOptions,
): ConversationText | undefined {
  const { onLoss: _onLoss, request: _request, now: _now, ...written } = options
  const model = written.model ?? request.model
  const deciding: EncodeOptions = model === undefined ? written : { ...written, model }
  const key = JSON.stringify([codec.name, deciding])
  const buffer = bufferOf(messages)
  const known = texts.get(buffer) ?? new Map<string, ConversationText | undefined>()
  texts.set(buffer, known)
  const text = known.get(key) ?? (known.has(key) ? new ConversationText(codec, deciding) : undefined)
  if (text !== undefined && text.size > messages.size) return undefined
  known.delete(key)
  text?.grow(buffer, messages.size)
  known.set(key, text)
  const [oldest] = known.keys()
  if (known.size > MOST_TEXTS && oldest !== undefined) known.delete(oldest)
  return text
}
