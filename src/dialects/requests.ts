import { type Message, ROLES } from '../canonical/model/message.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { isRole } from '../canonical/read/guards.ts'
import { fail, quote } from '../canonical/shape/shape.ts'
import type { JsonObject } from '../wire/json.ts'
import { below, type Path } from '../wire/pointer.ts'
import type { Hints } from '../wire/residue.ts'
import { Conversation, type ConversationWriter, type Ending, MESSAGES } from './conversation.ts'
import type { EncodeOptions } from './dialect.ts'
import type { Encoding } from './encoding.ts'
import { reportForeign } from './foreign.ts'
import { fitRequest, type ModelFamilies } from './models.ts'
import type { EngineHint } from './hints.ts'
import { settingDefaults } from './setting-defaults.ts'
import { reportUnsupported, type SettingTables } from './shared/rows.ts'
import { applyResidue, hintsFor, slotOf } from './unit.ts'

/** How a dialect writes requests. */
export interface RequestWriter {
  /** The key of the list that the conversation is. */
  readonly list: string
  /** Facts about models that speak the format. */
  readonly families: ModelFamilies
  /** Returns what the format, as a host takes it, does with each setting. */
  settingsFor(options: EncodeOptions): SettingTables
  /** What the format or a host wants otherwise in a request that its model takes. */
  fit?(request: ChatRequest, hints: Hints<EngineHint>, encoding: Encoding): ChatRequest
  /** Begins a conversation. */
  converse(): ConversationWriter
  /** The body around a conversation that is written already. */
  write(
    request: ChatRequest,
    conversation: JsonObject,
    hints: Hints<EngineHint>,
    encoding: Encoding,
  ): JsonObject
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
  readonly hints: Hints<EngineHint>
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
  const hints = hintsFor(request, slotOf<EngineHint, string>(name))
  const taken = fitRequest(request, name, requests.families, hints, encoding)
  reportUnsupported(
    taken,
    requests.settingsFor(encoding.options).request,
    undefined,
    encoding,
    settingDefaults,
  )
  return { request, fitted: requests.fit?.(taken, hints, encoding) ?? taken, hints, encoding }
}

/** Whether a conversation in which nobody says anything came like that. */
export function isEmpty({ hints }: Prepared): boolean {
  return hints['emptyConversation'] === true
}

/** Adds a message, and says what of it only another format could say. */
export function addMessage(
  { name }: RequestCodec,
  conversation: Conversation,
  message: Message,
  index: number,
  encoding: Encoding,
): void {
  const at = below(MESSAGES, index)
  checkRole(message, at)
  reportForeign(message, name, 'request', encoding, at)
  conversation.add(message, index)
}

/** Throws if the role is not one of the five: a JavaScript caller can pass a message that no parser has checked. */
export function checkRole({ role }: Message, at?: Path): void {
  if (isRole(role)) return
  const hint = 'Read messages of other sources with `parseMessage` before you encode them.'
  fail('unknown-role', below(at, 'role'), quote(role), `one of ${ROLES.join(', ')}`, hint)
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
