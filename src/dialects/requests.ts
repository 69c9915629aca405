import type { Message } from '../canonical/model/message.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { JsonObject } from '../wire/json.ts'
import { below } from '../wire/pointer.ts'
import type { Hints } from '../wire/residue.ts'
import { Conversation, type ConversationWriter, type Ending, MESSAGES } from './conversation.ts'
import type { EncodeOptions } from './dialect.ts'
import type { Encoding } from './encoding.ts'
import { reportForeign } from './foreign.ts'
import { fitRequest, type ModelFamilies } from './models.ts'
import { isSet } from './setting-defaults.ts'
import { applyResidue, hintsFor } from './unit.ts'

/** How a dialect writes requests. */
export interface RequestWriter {
  /** The key of the list that the conversation is. */
  readonly list: string
  /** Facts about models that speak the format. */
  readonly families: ModelFamilies
  /** Settings of ours that it has no field for. */
  readonly missing: readonly (keyof ChatRequest)[]
  /** What the format or a host wants otherwise in a request that its model takes. */
  fit?(request: ChatRequest, hints: Hints, encoding: Encoding): ChatRequest
  /** Begins a conversation. */
  converse(): ConversationWriter
  /** The body around a conversation that is written already. */
  write(request: ChatRequest, conversation: JsonObject, hints: Hints, encoding: Encoding): JsonObject
  /** What a host wants otherwise in a body that is ready. */
  finish?(body: JsonObject, options: EncodeOptions): JsonObject
}

/** What of a codec writes requests. */
export interface RequestCodec {
  readonly name: string
  readonly requests: RequestWriter
}

/** A request that is about to be written: as it came, as it can go, and in which form. */
export interface Prepared {
  readonly request: ChatRequest
  readonly fitted: ChatRequest
  readonly hints: Hints
  readonly encoding: Encoding
}

/** Writes a request. */
export function encodeRequest(codec: RequestCodec, request: ChatRequest, encoding: Encoding): JsonObject {
  const prepared = prepare(codec, request, encoding)
  const conversation = new Conversation(codec.name, codec.requests.converse(), prepared.encoding)
  let index = 0
  for (const message of prepared.fitted.messages)
    addMessage(codec, conversation, message, index++, prepared.encoding)
  return writeBody(codec, prepared, conversation.end(isEmpty(prepared)))
}

/** Fits a request, and says what of it, the conversation aside, only another format could say. */
export function prepare({ name, requests }: RequestCodec, request: ChatRequest, given: Encoding): Prepared {
  const { messages: _messages, ...rest } = request
  reportForeign(rest, name, 'request', given)
  const model = given.options.model ?? request.model
  const encoding = model === undefined ? given : { ...given, options: { ...given.options, model } }
  const hints = hintsFor(request, name)
  const taken = fitRequest(request, name, requests.families, hints, encoding)
  for (const key of requests.missing) {
    if (isSet(taken, key)) encoding.lose('no-field', below(undefined, key))
  }
  return { request, fitted: requests.fit?.(taken, hints, encoding) ?? taken, hints, encoding }
}

/** Whether a conversation in which nobody says anything came like that. */
export function isEmpty({ hints }: Prepared): boolean {
  return hints['empty'] === true
}

/** Adds a message, and says what of it only another format could say. */
export function addMessage(
  { name }: RequestCodec,
  conversation: Conversation,
  message: Message,
  index: number,
  encoding: Encoding,
): void {
  reportForeign(message, name, 'request', encoding, below(MESSAGES, index))
  conversation.add(message, index)
}

/** The body around a conversation. */
export function writeBody(
  { name, requests }: RequestCodec,
  { request, fitted, hints, encoding }: Prepared,
  { beside, rest }: Ending,
): JsonObject {
  const made = requests.write(fitted, { ...beside, [requests.list]: rest }, hints, encoding)
  const body = applyResidue(made, request, name)
  return requests.finish?.(body, encoding.options) ?? body
}
