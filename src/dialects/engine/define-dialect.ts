import type { Rule } from '../../canonical/check/validation-rule.ts'
import type { Finish, Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { checkIterable } from '../../canonical/shape/shape.ts'
import { withTypedErrors, withTypedMethods } from '../../wire/typed-errors.ts'
import { copyUsageToMessages } from '../../canonical/stream/copy-usage-to-messages.ts'
import { describeType, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { InterlinguaError } from '../../errors.ts'
import { checkBody, decodeBody, type ReceivedBody } from './check-received-body.ts'
import { checkCodecOptions } from './check-codec-options.ts'
import { checkMessage, checkRequest, checkResponse, checkTools } from './check-canonical-input.ts'
import type { DecodeOptions, Dialect, EncodeOptions, Endpoint } from './dialect.ts'
import { type EncodeContext, encodeWithLosses } from './encode-context.ts'
import { toWellFormedText } from './well-formed-text.ts'
import { reportForeignResidue } from './report-foreign-residue.ts'
import { encodeRequestText } from './encode-request-text.ts'
import { encodeRequest, type RequestWriter } from './encode-request.ts'
import { createUnknownFactUse, getModelFacts } from './model-facts.ts'
import { createDefaultErrorCodec } from './default-errors.ts'
import type { ErrorCodec } from './error-codec.ts'
import { convertHostedAnswers, type HostedPairConverter } from './convert-hosted-answers.ts'
import {
  fillIdAndModelPlaceholders,
  replaceIdAndModelByPlaceholders,
  reportOmittedModel,
} from './id-and-model-placeholders.ts'
import { ReasoningFilter } from './reasoning-filter.ts'
import { type InputRecognizer, setInputRecognizer } from './input-recognizers.ts'
import { decodeWithResidue } from './residue-slots.ts'
import { recordReasoningOrigin, recordResponsePrefix } from './reasoning-origin.ts'
import { decodeStream, type StreamCodec } from './stream-codec.ts'
import { encodeStream } from './stream-encoder.ts'
import { type AnswerCallForms, applyCallForms, createAnswerForms } from './tool-call-forms.ts'

/** The parts of a dialect that differ from format to format. */
export interface DialectCodec<Name extends string = string> extends AnswerCallForms {
  /** The name of the dialect, which is also the key of its residue in `extra`. */
  readonly name: Name
  readonly rules: readonly Rule[]
  /** Decodes a request; the result is not frozen yet. */
  decodeRequest(body: ReceivedBody, options: DecodeOptions): ChatRequest
  readonly requestWriter: RequestWriter
  /** Decodes a response; the result is not frozen yet. */
  decodeResponse(body: ReceivedBody, options: DecodeOptions): ChatResponse
  encodeResponse(response: ChatResponse, context: EncodeContext): JsonObject
  /** Converts a call that another provider ran, with its result, for answers. */
  readonly convertHostedPair?: HostedPairConverter
  encodeMessage(message: Message, path: undefined, context: EncodeContext): readonly JsonObject[]
  encodeTools(tools: readonly Tool[], path: undefined, context: EncodeContext): readonly JsonObject[]
  decodeUsage(wire: Json | undefined): Usage | undefined
  decodeFinish(wire: Json | undefined): Finish | undefined
  endpoint(request: ChatRequest, options: EncodeOptions): Endpoint
  readonly errors: ErrorCodec
  /** Recognizes a body or the payload of a stream, for `detect`; undefined for that of another format. */
  readonly recognize?: InputRecognizer
  readonly stream: Omit<
    StreamCodec,
    'slot' | 'errors' | 'reasoning' | 'convertHostedPair' | keyof AnswerCallForms
  >
}

/** The members of a codec that have a default. */
type DefaultedMember = 'rules' | 'encodeMessage' | 'decodeUsage' | 'decodeFinish' | 'errors'

/** The members of a request writer that have a default. */
type DefaultedWriterMember = 'modelFactUseFor' | 'reasoning'

/**
 * The codec of a dialect as its author writes it. Defaults: no rules, `encodeMessage` through the conversation writer, no
 * usage and no finish reason outside of a response, errors in the form `{ error: { message, type } }`, and no facts about
 * models and reasoning.
 */
export interface DialectDefinition<Name extends string = string>
  extends
    Omit<DialectCodec<Name>, DefaultedMember | 'requestWriter'>,
    Partial<Pick<DialectCodec<Name>, DefaultedMember>> {
  readonly requestWriter: Omit<RequestWriter, DefaultedWriterMember> &
    Partial<Pick<RequestWriter, DefaultedWriterMember>>
}

const NO_LOSSES = Object.freeze([])

/** The stream codecs of the dialects that `defineDialect` built. */
const streamCodecs = new WeakMap<object, StreamCodec>()

/** Returns the codec of a dialect's streams; throws for an object that `defineDialect` did not build. */
export function getStreamCodec(dialect: Dialect): StreamCodec {
  const codec = streamCodecs.get(dialect)
  if (codec !== undefined) return codec
  throw new InterlinguaError('invalid-value', 'The dialect was not created by `defineDialect`', {
    found: describeType(dialect),
    expected: 'the result of `defineDialect`',
    hint: 'Pass the dialect itself, not a copy of it.',
  })
}

/**
 * Returns true for a dialect that `defineDialect` built.
 *
 * @example
 * isDialect(dialects.anthropic) // true
 */
export function isDialect(value: unknown): value is Dialect {
  return typeof value === 'object' && value !== null && streamCodecs.has(value)
}

/**
 * Builds a dialect from its codec. A format whose messages are lists of typed blocks needs no codec of its own: describe it
 * with `createBlockCodec`.
 *
 * @example
 * export const myDialect = defineDialect(createBlockCodec(myFormat))
 * translateRequest(body, { from: myDialect, to: 'anthropic' })
 */
export function defineDialect<
  Name extends string,
  RequestBody = unknown,
  ResponseBody = unknown,
  StreamingBody = RequestBody,
  NonStreamingBody = RequestBody,
>(
  definition: DialectDefinition<Name>,
): Dialect<RequestBody, ResponseBody, StreamingBody, NonStreamingBody> & { readonly name: Name } {
  const codec = withTypedErrors(() => completeCodec(definition), [definition])
  const { name, rules } = codec
  const stream = createStreamCodec(codec)
  type Built = Dialect<RequestBody, ResponseBody, StreamingBody, NonStreamingBody> & { readonly name: Name }
  const dialect = withTypedMethods<Built>({
    name,
    rules,
    decodeRequest: (wire, options = {}) =>
      decodeBody(checkReceived(wire, 'request', options), (body) => {
        const request = decodeWithResidue(options.exact !== false, () => codec.decodeRequest(body, options))
        const value = freezeOwned(recordReasoningOrigin(request, name, codec.requestWriter.reasoning))
        return Object.freeze({ value, losses: NO_LOSSES })
      }),
    encodeRequest: (request: ChatRequest, options: EncodeOptions = {}) =>
      encodeWithLosses(name, options, 'request', (context) =>
        castToBody(encodeRequest(codec, checkRequest(request), context)),
      ),
    encodeRequestText: (request, options = {}) => encodeRequestText(codec, checkRequest(request), options),
    decodeResponse: (wire, options = {}) =>
      decodeBody(checkReceived(wire, 'response', options), (body) => {
        const decoded = decodeWithResidue(options.exact !== false, () => codec.decodeResponse(body, options))
        const { reasoning } = codec.requestWriter
        const response = recordResponsePrefix(decoded, options.request, name, reasoning)
        const value = options.exact === false ? response : replaceIdAndModelByPlaceholders(response)
        return Object.freeze({ value: copyUsageToMessages(value), losses: NO_LOSSES })
      }),
    encodeResponse: (given, { model, ...options } = {}) =>
      encodeWithLosses(name, options, 'response', (context) => {
        const checked = checkResponse(given)
        const named = model === undefined ? checked : { ...checked, model }
        const response = fillIdAndModelPlaceholders(toWellFormedText(named, undefined, context))
        reportForeignResidue(response, name, 'response', context)
        reportOmittedModel(stream, checked, model, context)
        const forms = createAnswerForms(name, options.request, codec)
        const converted = convertHostedAnswers(response, name, codec.convertHostedPair, context)
        return castToBody(codec.encodeResponse(applyCallForms(converted, name, forms), context))
      }),
    decodeStream: (source, options = {}) => {
      checkCodecOptions(options)
      return decodeStream(stream, source, options)
    },
    encodeStream: (events, options = {}) => {
      checkCodecOptions(options)
      return encodeStream(stream, checkIterable(events, 'a stream of events'), options)
    },
    encodeMessage: (given, options = {}) =>
      encodeWithLosses(name, options, 'request', (callerContext) => {
        const message = checkMessage(given)
        const rules = codec.requestWriter.modelFactUseFor(options)
        const facts = getModelFacts(rules, options.model, options.capabilities)
        const context = { ...callerContext, facts }
        reportForeignResidue(message, name, 'request', context)
        const filter = new ReasoningFilter(name, codec.requestWriter.reasoning, context)
        const wellFormed = filter.filter(toWellFormedText(message, undefined, context), undefined)
        return codec.encodeMessage(wellFormed, undefined, context)
      }),
    encodeTools: (given, options = {}) =>
      encodeWithLosses(name, options, 'request', (context) => {
        const tools = checkTools(given)
        reportForeignResidue(tools, name, 'request', context)
        return codec.encodeTools(toWellFormedText(tools, undefined, context), undefined, context)
      }),
    decodeUsage: (wire) => codec.decodeUsage(wire as Json),
    decodeFinish: (wire) => codec.decodeFinish(wire as Json),
    endpoint: (request, options = {}) => {
      checkCodecOptions(options)
      return codec.endpoint(request, options)
    },
    decodeError: codec.errors.decodeError,
    encodeError: codec.errors.encodeError,
  })
  streamCodecs.set(dialect, stream)
  if (codec.recognize !== undefined) setInputRecognizer(dialect, codec.recognize)
  return dialect
}

/** Adds the defaults of a codec. */
function completeCodec<Name extends string>(definition: DialectDefinition<Name>): DialectCodec<Name> {
  const { name } = definition
  const factUse = createUnknownFactUse(name)
  const requestWriter: RequestWriter = {
    modelFactUseFor: () => factUse,
    reasoning: {},
    ...definition.requestWriter,
  }
  return {
    rules: [],
    encodeMessage: (message, path, context) => encodeSingleMessage(requestWriter, message, path, context),
    decodeUsage: () => undefined,
    decodeFinish: () => undefined,
    errors: createDefaultErrorCodec(name),
    ...definition,
    requestWriter,
  }
}

/** Encodes a message as a conversation of its own; leading instructions that are a field of the body are no element. */
function encodeSingleMessage(
  requestWriter: RequestWriter,
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  const writer = requestWriter.createConversationWriter()
  writer.add({ message, path }, context)
  return writer.end(true, context).remaining.filter((each): each is JsonObject => isObject(each))
}

function checkReceived(wire: unknown, kind: 'request' | 'response', options: DecodeOptions): ReceivedBody {
  checkCodecOptions(options)
  return checkBody(wire, kind, options.limits)
}

/**
 * Casts an encoded body to its wire type. This is the only cast: encoders build JSON that may contain residue of any
 * shape (opaque blocks, unknown fields, a request without its model), so its type cannot be checked statically.
 */
function castToBody(wire: JsonObject): never {
  return wire as never
}

function createStreamCodec({
  name,
  stream,
  errors,
  getCallHints,
  getSingleCallForm,
  requestWriter,
  convertHostedPair,
}: DialectCodec): StreamCodec {
  const { reasoning } = requestWriter
  const converters = {
    ...(getCallHints && { getCallHints }),
    ...(getSingleCallForm && { getSingleCallForm }),
    ...(convertHostedPair && { convertHostedPair }),
  }
  return { ...stream, slot: name, errors, reasoning, ...converters }
}
