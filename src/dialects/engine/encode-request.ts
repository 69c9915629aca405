import { type Message, ROLES } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { isRole } from '../../canonical/read/type-guards.ts'
import { throwInvalid, quoteShort } from '../../canonical/shape/shape.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import {
  ConversationEncoder,
  type ConversationWriter,
  type ConversationEnd,
  MESSAGES_PATH,
} from './conversation-encoder.ts'
import type { EncodeOptions } from './dialect.ts'
import type { EncodeContext } from './encode-context.ts'
import { reportForeignResidue } from './report-foreign-residue.ts'
import { fitRequestToModel, type ModelFamilies } from './model-capabilities.ts'
import type { EngineHint } from './hints.ts'
import { settingDefaults } from './setting-defaults.ts'
import { reportUnsupported, type SettingTables } from './setting-tables.ts'
import { applyResidue, getHints, slotOf } from './residue-slots.ts'
import { InterlinguaError } from '../../errors.ts'

/** The model as a segment of a path: nothing in its name may end the segment, nor begin another method. */
export function encodeModelSegment(request: ChatRequest, options: EncodeOptions): string {
  return encodeURIComponent(getModelName(request, options))
}

/** The model that a path names. */
export function getModelName(request: ChatRequest, options: EncodeOptions): string {
  const model = options.model ?? request.model ?? ''
  if (model === '') throw createMissingModelError()
  return model
}

/** The error of a request that does not say which model its path is to name. */
export function createMissingModelError(): InterlinguaError {
  return new InterlinguaError('missing-field', 'The path of a request names its model', {
    path: '/model',
    found: 'nothing',
    expected: 'the name of a model',
    hint: 'Say it in the request, or with the option `model`.',
  })
}

/** How a dialect writes requests. */
export interface RequestWriter {
  /** The key of the list that the conversation is. */
  readonly listKey: string
  /** Facts about models that speak the format. */
  readonly modelFamilies: ModelFamilies
  /** Returns what the format, as a host takes it, does with each setting. */
  settingsFor(options: EncodeOptions): SettingTables
  /** What the format or a host wants otherwise in a request that its model takes. */
  fit?(request: ChatRequest, hints: Hints<EngineHint>, context: EncodeContext): ChatRequest
  /** Begins a conversation. */
  createConversationWriter(): ConversationWriter
  /** The body around a conversation that is written already. */
  writeFields(
    request: ChatRequest,
    conversation: JsonObject,
    hints: Hints<EngineHint>,
    context: EncodeContext,
  ): JsonObject
  /** What a host wants otherwise in a body that is ready. */
  adjustBody?(body: JsonObject, options: EncodeOptions): JsonObject
}

/** What of a codec writes requests. */
export interface RequestCodec {
  readonly name: string
  readonly requestWriter: RequestWriter
}

/** A request that is about to be written: as it came, as it can go, and in which form. */
export interface PreparedRequest {
  readonly request: ChatRequest
  readonly fitted: ChatRequest
  readonly hints: Hints<EngineHint>
  readonly context: EncodeContext
}

/** Writes a request. */
export function encodeRequest(codec: RequestCodec, request: ChatRequest, context: EncodeContext): JsonObject {
  const prepared = prepareRequest(codec, request, context)
  const conversation = new ConversationEncoder(
    codec.name,
    codec.requestWriter.createConversationWriter(),
    prepared.context,
  )
  let index = 0
  for (const message of prepared.fitted.messages)
    addMessage(codec, conversation, message, index++, prepared.context)
  return writeBody(codec, prepared, conversation.end(isOriginallyEmpty(prepared)))
}

/** Fits a request, and says what of it, the conversation aside, only another format could say. */
export function prepareRequest(
  { name, requestWriter }: RequestCodec,
  request: ChatRequest,
  given: EncodeContext,
): PreparedRequest {
  const { messages: _messages, ...rest } = request
  reportForeignResidue(rest, name, 'request', given)
  const model = given.options.model ?? request.model
  const context = model === undefined ? given : { ...given, options: { ...given.options, model } }
  const hints = getHints(request, slotOf<EngineHint, string>(name))
  const taken = fitRequestToModel(request, name, requestWriter.modelFamilies, hints, context)
  reportUnsupported(
    taken,
    requestWriter.settingsFor(context.options).request,
    undefined,
    context,
    settingDefaults,
  )
  return { request, fitted: requestWriter.fit?.(taken, hints, context) ?? taken, hints, context }
}

/** Whether a conversation in which nobody says anything came like that. */
export function isOriginallyEmpty({ hints }: PreparedRequest): boolean {
  return hints['emptyConversation'] === true
}

/** Adds a message, and says what of it only another format could say. */
export function addMessage(
  { name }: RequestCodec,
  conversation: ConversationEncoder,
  message: Message,
  index: number,
  context: EncodeContext,
): void {
  const path = child(MESSAGES_PATH, index)
  checkRole(message, path)
  reportForeignResidue(message, name, 'request', context, path)
  conversation.add(message, index)
}

/** Throws if the role is not one of the five: a JavaScript caller can pass a message that no parser has checked. */
export function checkRole({ role }: Message, path?: Path): void {
  if (isRole(role)) return
  const hint = 'Read messages of other sources with `parseMessage` before you encode them.'
  throwInvalid('unknown-role', child(path, 'role'), quoteShort(role), `one of ${ROLES.join(', ')}`, hint)
}

/** The body around a conversation. */
export function writeBody(
  { name, requestWriter }: RequestCodec,
  { request, fitted, hints, context }: PreparedRequest,
  { topLevelFields, remaining }: ConversationEnd,
): JsonObject {
  const made = requestWriter.writeFields(
    fitted,
    { ...topLevelFields, [requestWriter.listKey]: remaining },
    hints,
    context,
  )
  const body = applyResidue(made, request, name)
  return requestWriter.adjustBody?.(body, context.options) ?? body
}
