import type { Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import {
  ConversationEncoder,
  type ConversationWriter,
  type ConversationRemainder,
  MESSAGES_PATH,
} from './conversation-encoder.ts'
import type { EncodeOptions } from './dialect.ts'
import { parseElementTexts } from './element-text.ts'
import type { EncodeContext } from './encode-context.ts'
import { type CacheMarking, findCacheMarking, markBodyForCaching } from './prompt-cache-marking.ts'
import { isPairedConversation } from './paired-messages.ts'
import { isPlainMessage, toWellFormedText } from './well-formed-text.ts'
import { reportForeignResidue } from './report-foreign-residue.ts'
import { fitRequestToFacts, omitFieldsRefusedByModel, resolveModelFacts } from './fit-request-to-model.ts'
import { fitLabels, fitUserIds, type UserIdRule } from './fit-user-id.ts'
import type { AppliedFacts, ModelFactUse } from './model-facts.ts'
import { ReasoningFilter } from './reasoning-filter.ts'
import type { ReasoningFacts } from './reasoning-origin.ts'
import type { EngineHint } from './residue-hints.ts'
import { raiseZeroOutputLimit, reportUnsupportedSettings, type SettingTables } from './setting-tables.ts'
import { applyResidue, getHints, defineSlot } from './residue-slots.ts'
import { type CallHintsOfTool, createToolCallForms } from './tool-call-forms.ts'
import { InterlinguaError } from '../../errors.ts'
import { encodePathSegment } from '../../wire/urls.ts'

/** Returns the model as one path segment: no character of its name can end the segment or select another method. */
export function encodeModelSegment(request: ChatRequest, options: EncodeOptions): string {
  return encodePathSegment(getModelName(request, options), '/model')
}

/** Returns the model of a request; throws if neither the request nor the options have one. */
export function getModelName(request: ChatRequest, options: EncodeOptions): string {
  const model = options.model ?? request.model ?? ''
  if (model === '') throw createMissingModelError()
  return model
}

/** Creates the error for a request without a model whose path contains the model. */
export function createMissingModelError(): InterlinguaError {
  return new InterlinguaError(
    'missing-field',
    'The request has no model, but the URL path of this provider contains the model',
    {
      path: '/model',
      found: 'nothing',
      expected: 'the name of a model',
      hint: 'Set `model` in the request or in the options.',
    },
  )
}

/** Writes the requests of a dialect. */
export interface RequestWriter {
  /** The key of the body that contains the conversation. */
  readonly listKey: string
  /** True if the conversation is always a list; without it, one with a single element may have another form. */
  readonly isAlwaysList?: true
  /** Returns how the facts about models apply to this dialect, flavor and model. */
  modelFactUseFor(options: EncodeOptions): ModelFactUse
  /** Returns the user ids that the host accepts; undefined if the format has none. */
  userIdRuleFor?(options: EncodeOptions): UserIdRule
  /** Facts about the reasoning that the dialect signs and accepts. */
  readonly reasoning: ReasoningFacts
  /**
   * Returns the support for each setting in this dialect and flavor. Unsupported settings of the request are reported by the
   * engine, those of the nested tables by the dialect (`reportUnsupportedSettings`).
   */
  settingsFor(options: EncodeOptions): SettingTables
  /** Returns the context for the fields around the conversation, if it differs from that of the messages. */
  getFieldContext?(request: ChatRequest, hints: Hints<EngineHint>, context: EncodeContext): EncodeContext
  /** Adjusts a request to the requirements of the format or the host, after it was adjusted to the model. */
  fit?(request: ChatRequest, hints: Hints<EngineHint>, context: EncodeContext): ChatRequest
  /** Creates the writer of a conversation. `tools` are the tools of its request: some formats declare tools in messages. */
  createConversationWriter(tools?: readonly Tool[]): ConversationWriter
  /** Identifies what the writer uses of the tools, in addition to the forms of calls. Default: it uses nothing. */
  getToolsKey?(tools: readonly Tool[]): string
  /**
   * Writes the other fields of the body around the encoded conversation. The model of the caller is an option:
   * `context.options.model ?? request.model`.
   */
  writeFields(
    request: ChatRequest,
    conversation: JsonObject,
    hints: Hints<EngineHint>,
    context: EncodeContext,
  ): JsonObject
  /** Marks a body for the prompt cache of its provider, if the provider caches only what is marked. */
  readonly cacheMarking?: CacheMarking
  /** Adjusts a complete body to the host. */
  adjustBody?(body: JsonObject, context: EncodeContext): JsonObject
}

/** The part of a codec that writes requests. */
export interface NamedRequestWriter {
  readonly name: string
  /** Returns the hints for calls of a tool, if the dialect has several forms of calls. */
  readonly getCallHints?: CallHintsOfTool
  readonly requestWriter: RequestWriter
}

/** A request that is ready to be written: the original, the adjusted one, and its hints. */
export interface PreparedRequest {
  readonly request: ChatRequest
  readonly fitted: ChatRequest
  readonly hints: Hints<EngineHint>
  readonly facts: AppliedFacts
  readonly context: EncodeContext
  /** The context for the fields around the conversation. */
  readonly fieldContext: EncodeContext
}

/** Encodes a request body. */
export function encodeRequest(
  codec: NamedRequestWriter,
  request: ChatRequest,
  context: EncodeContext,
): JsonObject {
  const prepared = prepareRequest(codec, request, context)
  const conversation = encodeConversation(codec, prepared, false)
  return buildRequestBody(codec, prepared, conversation.end(wasConversationEmpty(prepared)))
}

/** Encodes the messages of a request. `isText` is true if only their text is needed. */
export function encodeConversation(
  codec: NamedRequestWriter,
  { request: { tools }, fitted: { messages }, context }: PreparedRequest,
  isText: boolean,
): ConversationEncoder {
  const { name, requestWriter, getCallHints } = codec
  const conversation = new ConversationEncoder(name, requestWriter.createConversationWriter(tools), context)
  if (isPairedConversation(messages)) conversation.skipPairing()
  const forms = createToolCallForms(name, tools, getCallHints)
  const filter = new ReasoningFilter(name, requestWriter.reasoning, context, tools)
  const state = { conversation, filter, isText }
  let index = 0
  for (const message of messages)
    addMessageToEncoder(codec, state, forms?.applyToMessage(message) ?? message, index++, context)
  return conversation
}

/**
 * Adjusts a request to its model and host, and reports residue of other dialects and unsupported settings,
 * except for the messages.
 */
export function prepareRequest(
  { name, requestWriter }: NamedRequestWriter,
  received: ChatRequest,
  callerContext: EncodeContext,
): PreparedRequest {
  const { messages, ...rest } = received
  const fields = toWellFormedText(rest, undefined, callerContext)
  const request = fields === rest ? received : { ...fields, messages }
  reportForeignResidue(rest, name, 'request', callerContext)
  const model = callerContext.options.model ?? request.model
  const hints = getHints(request, defineSlot<EngineHint, string>(name))
  const options = model === undefined ? callerContext.options : { ...callerContext.options, model }
  const rules = requestWriter.modelFactUseFor(options)
  const { facts, acceptedFacts } = resolveModelFacts(rules, request, hints, callerContext)
  const context: EncodeContext = { ...callerContext, options, facts }
  const fieldContext = requestWriter.getFieldContext?.(request, hints, context) ?? context
  const forModel = fitRequestToFacts(request, facts, fieldContext, acceptedFacts)
  const userIdRule = requestWriter.userIdRuleFor?.(fieldContext.options)
  const withIds = fitUserIds(forModel, userIdRule, hints, fieldContext)
  const labeled = fitLabels(withIds, userIdRule, hints, fieldContext)
  const settings = requestWriter.settingsFor(fieldContext.options)
  const accepted = raiseZeroOutputLimit(labeled, settings, fieldContext)
  reportUnsupportedSettings(accepted, settings.request, undefined, fieldContext)
  const fitted = requestWriter.fit?.(accepted, hints, fieldContext) ?? accepted
  return { request, fitted, hints, facts, context, fieldContext }
}

/** Returns true if the conversation was empty when it was decoded. */
export function wasConversationEmpty({ hints }: PreparedRequest): boolean {
  return hints['emptyConversation'] === true
}

/** The state of a conversation that is being encoded. */
export interface EncodingState {
  readonly conversation: ConversationEncoder
  readonly filter: ReasoningFilter
  /** True if only the text of the conversation is needed. */
  readonly isText: boolean
}

/** Encodes a message and reports residue of other dialects. */
export function addMessageToEncoder(
  { name }: NamedRequestWriter,
  { conversation, filter, isText }: EncodingState,
  message: Message,
  index: number,
  context: EncodeContext,
): void {
  const simple = isText ? conversation.readSimple(message) : undefined
  if (simple !== undefined || isPlainMessage(message)) {
    filter.skip(message)
    return conversation.add(message, index, simple)
  }
  const path = child(MESSAGES_PATH, index)
  reportForeignResidue(message, name, 'request', context, path)
  const wellFormed = toWellFormedText(message, path, context)
  conversation.add(filter.filter(wellFormed, path, message), index)
}

/** Writes the body around an encoded conversation and applies the residue of the request. */
export function buildRequestBody(
  codec: NamedRequestWriter,
  { request, fitted, hints, facts, fieldContext }: PreparedRequest,
  { topLevelFields, remaining }: ConversationRemainder,
): JsonObject {
  const { name, requestWriter } = codec
  const encoded = requestWriter.writeFields(
    fitted,
    { ...topLevelFields, [requestWriter.listKey]: parseElementTexts(remaining) },
    hints,
    fieldContext,
  )
  const restored = omitFieldsRefusedByModel(
    applyResidue(encoded, request, name),
    encoded,
    facts,
    fieldContext,
  )
  const marking = findCacheMarking(codec, request, fieldContext.options)
  const body = marking === undefined ? restored : markBodyForCaching(restored, requestWriter.listKey, marking)
  return requestWriter.adjustBody?.(body, fieldContext) ?? body
}
