import type { MessageBuffer } from '../../canonical/collections/message-buffer.ts'
import { bufferOf, Messages } from '../../canonical/collections/messages.ts'
import type { Loss, Translation } from '../../canonical/model/loss.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { ConversationEncoder } from './conversation-encoder.ts'
import type { EncodeOptions } from './dialect.ts'
import { type EncodeContext, encodeWithLosses, createEncodeContext } from './encode-context.ts'
import {
  addMessage,
  encodeRequest,
  isOriginallyEmpty,
  prepareRequest,
  type RequestCodec,
  writeBody,
} from './encode-request.ts'

/** How many texts are kept of one conversation: a few hosts or models at a time. */
const MAX_CACHED_TEXTS = 4

/** Stands for the list of the conversation until its text is put there. */
const LIST_PLACEHOLDER: readonly Json[] = Object.freeze(['the conversation'])

/**
 * A request as JSON text. Where a growing conversation was encoded before, only what is new is written: its beginning is
 * kept, as text, with the messages that it shares.
 */
export function encodeRequestText(
  codec: RequestCodec,
  request: ChatRequest,
  options: EncodeOptions,
): Translation<string> {
  const kept =
    request.messages instanceof Messages
      ? getCachedConversation(codec, request, request.messages, options)
      : undefined
  if (kept !== undefined) {
    const { value, losses } = encodeWithLosses(codec.name, options, (context, repeat) =>
      encodeWithCachedPrefix(codec, request, kept, context, repeat),
    )
    if (value !== undefined) return Object.freeze({ value, losses })
  }
  return encodeWithLosses(codec.name, options, (context) =>
    stringifyListLast(encodeRequest(codec, request, context), codec.requestWriter.listKey),
  )
}

/** The text around a conversation whose beginning is kept; undefined where it cannot be told from its beginning. */
function encodeWithCachedPrefix(
  codec: RequestCodec,
  request: ChatRequest,
  kept: CachedConversation,
  context: EncodeContext,
  repeat: (known: readonly Loss[]) => void,
): string | undefined {
  const prepared = prepareRequest(codec, request, context)
  // What the model or its host wants otherwise in the conversation itself is not what is kept.
  if (prepared.fitted.messages !== request.messages) return undefined
  const { list, count, beside, losses } = kept.end(isOriginallyEmpty(prepared))
  // One element alone may go in another form.
  if (count < 2) return undefined
  repeat(kept.losses)
  repeat(losses)
  return insertListText(
    writeBody(codec, prepared, { ...(beside && { topLevelFields: beside }), remaining: LIST_PLACEHOLDER }),
    list,
  )
}

/** What a conversation grows at is the end of its text. */
function stringifyListLast(body: JsonObject, key: string): string {
  const { [key]: list, ...others } = body
  return JSON.stringify(list === undefined ? others : { ...others, [key]: list })
}

function insertListText(body: JsonObject, list: string): string | undefined {
  const key = Object.keys(body).find((each) => body[each] === LIST_PLACEHOLDER)
  if (key === undefined) return undefined
  const { [key]: _list, ...others } = body
  const before = JSON.stringify(others).slice(0, -1)
  return `${before}${before === '{' ? '' : ','}${JSON.stringify(key)}:[${list}]}`
}

/** A conversation as it is kept: written as far as no later message can change it. */
class CachedConversation {
  readonly losses: Loss[] = []
  readonly #codec: RequestCodec
  readonly #context: EncodeContext
  readonly #conversation: ConversationEncoder
  #size = 0
  #text = ''
  #count = 0

  constructor(codec: RequestCodec, options: EncodeOptions) {
    this.#codec = codec
    this.#context = createEncodeContext(codec.name, options, (loss) => this.losses.push(loss))
    this.#conversation = new ConversationEncoder(
      codec.name,
      codec.requestWriter.createConversationWriter(),
      this.#context,
    )
  }

  /** How many messages are written. */
  get size(): number {
    return this.#size
  }

  grow({ items }: MessageBuffer, size: number): void {
    for (; this.#size < size; this.#size++) {
      const message = items[this.#size]
      if (message !== undefined)
        addMessage(this.#codec, this.#conversation, message, this.#size, this.#context)
    }
    const closed = this.#conversation.takeFinished()
    this.#text = appendElements(this.#text, closed)
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
    const heard = createEncodeContext(this.#codec.name, this.#context.options, (loss) => losses.push(loss))
    const { remaining, topLevelFields } = this.#conversation.fork(heard).end(empty)
    return {
      list: appendElements(this.#text, remaining),
      count: this.#count + remaining.length,
      ...(topLevelFields && { beside: topLevelFields }),
      losses,
    }
  }
}

/** Engines append to a text without copying what it holds. */
function appendElements(text: string, elements: readonly Json[]): string {
  return elements.reduce<string>(
    (list, element) => `${list}${list === '' ? '' : ','}${JSON.stringify(element)}`,
    text,
  )
}

/** What is kept of conversations, by what decides how they are written; the one used last stands last. */
const cachedConversations = new WeakMap<MessageBuffer, Map<string, CachedConversation | undefined>>()

/**
 * The text that is kept of a conversation. A first encoding keeps nothing: most conversations are encoded once. One from
 * which a longer one has grown is written anew.
 */
function getCachedConversation(
  codec: RequestCodec,
  request: ChatRequest,
  messages: Messages,
  options: EncodeOptions,
): CachedConversation | undefined {
  const { onLoss: _onLoss, request: _request, now: _now, ...written } = options
  const model = written.model ?? request.model
  const deciding: EncodeOptions = model === undefined ? written : { ...written, model }
  const key = JSON.stringify([codec.name, deciding])
  const buffer = bufferOf(messages)
  const known = cachedConversations.get(buffer) ?? new Map<string, CachedConversation | undefined>()
  cachedConversations.set(buffer, known)
  const text = known.get(key) ?? (known.has(key) ? new CachedConversation(codec, deciding) : undefined)
  if (text !== undefined && text.size > messages.size) return undefined
  known.delete(key)
  text?.grow(buffer, messages.size)
  known.set(key, text)
  const [oldest] = known.keys()
  if (known.size > MAX_CACHED_TEXTS && oldest !== undefined) known.delete(oldest)
  return text
}
