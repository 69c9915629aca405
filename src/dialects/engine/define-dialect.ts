import type { Rule } from '../../canonical/check/rule.ts'
import type { Finish, Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { checkIterable } from '../../canonical/shape/shape.ts'
import { withTypedMethods } from '../../wire/internal-error.ts'
import { copyUsageToMessages } from '../../canonical/stream/message-usage.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { checkBody, type ReceivedBody } from './check-body.ts'
import { checkMessage, checkRequest, checkResponse, checkTools } from './check-input.ts'
import type { DecodeOptions, Dialect, DialectName, EncodeOptions, Endpoint } from './dialect.ts'
import { checkElementCounts } from './element-limits.ts'
import { type EncodeContext, encodeWithLosses } from './encode-context.ts'
import { toWellFormedText } from './well-formed-text.ts'
import { reportForeignResidue } from './report-foreign-residue.ts'
import { encodeRequestText } from './encode-request-text.ts'
import { encodeRequest, type RequestWriter } from './encode-request.ts'
import { getModelFacts } from './model-facts.ts'
import type { ErrorCodec } from './error-codec.ts'
import { convertHostedAnswers, type HostedPairConverter } from './hosted-answers.ts'
import { fillIdAndModelPlaceholders, replaceIdAndModelByPlaceholders } from './response-repeats.ts'
import { ReasoningFilter } from './reasoning-filter.ts'
import { recordReasoningOrigin, recordResponsePrefix } from './reasoning-origin.ts'
import { decodeStream, type StreamCodec } from './stream-codec.ts'
import { encodeStream } from './stream-encoder.ts'
import { type AnswerCallForms, applyCallForms, createAnswerForms } from './tool-call-forms.ts'

/** The parts of a dialect that differ from format to format. */
export interface DialectCodec extends AnswerCallForms {
  readonly name: DialectName
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
  readonly stream: Omit<
    StreamCodec,
    'slot' | 'errors' | 'reasoning' | 'convertHostedPair' | keyof AnswerCallForms
  >
}

const NO_LOSSES = Object.freeze([])

/** Builds a dialect from its codec. */
export function defineDialect<RequestBody, ResponseBody, StreamingBody, NonStreamingBody>(
  codec: DialectCodec,
): Dialect<RequestBody, ResponseBody, StreamingBody, NonStreamingBody> {
  const { name, rules } = codec
  const stream = getStreamCodec(codec)
  return withTypedMethods({
    name,
    rules,
    decodeRequest: (wire, options = {}) => {
      const request = codec.decodeRequest(checkReceived(wire, 'request', options), options)
      const value = freezeOwned(recordReasoningOrigin(request, name, codec.requestWriter.reasoning))
      return Object.freeze({ value, losses: NO_LOSSES })
    },
    encodeRequest: (request: ChatRequest, options: EncodeOptions = {}) =>
      encodeWithLosses(name, options, 'request', (context) =>
        castToBody(encodeRequest(codec, checkRequest(request), context)),
      ),
    encodeRequestText: (request, options = {}) => encodeRequestText(codec, checkRequest(request), options),
    decodeResponse: (wire, options = {}) => {
      const decoded = codec.decodeResponse(checkReceived(wire, 'response', options), options)
      const { reasoning } = codec.requestWriter
      const response = recordResponsePrefix(decoded, options.request, name, reasoning)
      const value = options.exact === false ? response : replaceIdAndModelByPlaceholders(response)
      return Object.freeze({ value: copyUsageToMessages(value), losses: NO_LOSSES })
    },
    encodeResponse: (given, { model, ...options } = {}) =>
      encodeWithLosses(name, options, 'response', (context) => {
        const checked = checkResponse(given)
        const named = model === undefined ? checked : { ...checked, model }
        const response = fillIdAndModelPlaceholders(toWellFormedText(named, undefined, context))
        reportForeignResidue(response, name, 'response', context)
        const forms = createAnswerForms(name, options.request, codec)
        const converted = convertHostedAnswers(response, name, codec.convertHostedPair, context)
        return castToBody(codec.encodeResponse(applyCallForms(converted, name, forms), context))
      }),
    decodeStream: (source, options = {}) => decodeStream(stream, source, options),
    encodeStream: (events, options = {}) =>
      encodeStream(stream, checkIterable(events, 'a stream of events'), options),
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
    endpoint: (request, options = {}) => codec.endpoint(request, options),
    decodeError: codec.errors.decodeError,
    encodeError: codec.errors.encodeError,
  })
}

function checkReceived(wire: unknown, kind: 'request' | 'response', { limits }: DecodeOptions): ReceivedBody {
  const body = checkBody(wire, kind)
  checkElementCounts(body, limits)
  return body
}

/**
 * Casts an encoded body to its wire type. This is the only cast: encoders build JSON that may contain residue of any
 * shape (opaque blocks, unknown fields, a request without its model), so its type cannot be checked statically.
 */
function castToBody(wire: JsonObject): never {
  return wire as never
}

/** Returns the codec of the dialect's streams. */
export function getStreamCodec({
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
