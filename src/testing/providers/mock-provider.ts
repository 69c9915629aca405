import type { Model } from '../../canonical/model/model-interface.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { demo } from '../../client/demo-model.ts'
import type { DialectName } from '../../dialects/engine/dialect.ts'
import { dialects } from '../../dialects/dialects.ts'
import { InterlinguaError, ProviderError } from '../../errors.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { checkMethods } from '../../wire/check-methods.ts'
import { checkOptions, type OptionNames } from '../../wire/check-options.ts'
import { withTypedErrors } from '../../wire/internal-error.ts'
import { child } from '../../wire/json-pointer.ts'
import { isObject, tryParseJson, type Json } from '../../wire/json.ts'
import { type AnswerBody, createAnswer, type RecordedAnswer, replayAnswer } from './answers.ts'
import { applyFault, createFaultResponse, type Fault } from './faults.ts'
import {
  createMissingKeyError,
  createModelError,
  createProblemError,
  createRefusal,
  toErrorResponse,
} from './refusals.ts'
import { findRoute, hasKey, type Route } from './routes.ts'
import { findRequestProblems } from '../rules/check-request.ts'
import type { RequestProblem, WireObject } from '../rules/rule.ts'
import { createEmbeddings, createTokenCount, modelLists } from './side-endpoints.ts'

/** Options of {@link mockProvider}. */
export interface MockProviderOptions {
  /** Writes the answers: the demo model (the default), a scripted model, or any other. */
  readonly model?: Model
  /** Answers that are sent unchanged, each for the next request of its dialect. Then the model answers. */
  readonly recordings?: readonly RecordedAnswer[]
  /** Failures, one per request to a chat endpoint in order (`null`: none), or a function of the request. */
  readonly faults?: readonly (Fault | null)[] | ((request: MockRequest) => Fault | null)
  /** The names of the models that exist. Default: every name. */
  readonly models?: readonly string[]
  /** `false` accepts requests without a key. Default: true. */
  readonly requiresKey?: boolean
  /** Called with each request after its answer was chosen, for logs. */
  readonly onRequest?: (request: MockRequest & { readonly status: number }) => void
}

const OPTION_NAMES: OptionNames<MockProviderOptions> = {
  model: true,
  recordings: true,
  faults: true,
  models: true,
  requiresKey: true,
  onRequest: true,
}

/** A request that the mock provider received. */
export interface MockRequest {
  /** The number of earlier requests to chat endpoints. */
  readonly index: number
  readonly dialect: DialectName
  readonly path: string
  readonly model: string
  readonly isStreamed: boolean
  readonly body: Json
  /** The reasons for which the provider refuses the request. */
  readonly problems: readonly RequestProblem[]
}

/** A provider of every dialect, without a network of its own. */
export interface MockProvider {
  /** Answers a request as its provider would: a handler for any server with `Request` and `Response`. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The received requests to chat endpoints, in order. */
  readonly requests: readonly MockRequest[]
}

/**
 * Returns a strict double of every provider: it accepts what the provider of each dialect accepts, refuses the rest with
 * the status, the form and the words of that provider, and answers and streams like it. Point a client at it, or pass its
 * `fetch` to one.
 *
 * @example
 * const { fetch, requests } = mockProvider({ model: scripted(['Hello!']) })
 * const client = new OpenAI({ apiKey: 'test', fetch: (url, init) => fetch(new Request(url, init)) })
 */
export function mockProvider(options: MockProviderOptions = {}): MockProvider {
  checkOptions('`mockProvider`', options, OPTION_NAMES)
  withTypedErrors(() => checkOptionTypes(options))
  const requests: MockRequest[] = []
  const recordings = [...(options.recordings ?? [])]
  return {
    requests,
    fetch: async (request) => {
      checkMethods(request, 'request', 'a Request', ['text'])
      return handleRequest(request, options, requests, recordings)
    },
  }
}

function checkOptionTypes({ model, recordings, faults, models, onRequest }: MockProviderOptions): void {
  if (model !== undefined) checkMethods(model, 'model', 'a model', ['generate', 'stream'])
  for (const [name, value] of Object.entries({ recordings, models }))
    if (value !== undefined && !Array.isArray(value)) throwWrongType(value, child(undefined, name), 'a list')
  if (faults !== undefined && typeof faults !== 'function' && !Array.isArray(faults))
    throwWrongType(faults, child(undefined, 'faults'), 'a list or a function')
  if (onRequest !== undefined && typeof onRequest !== 'function')
    throwWrongType(onRequest, child(undefined, 'onRequest'), 'a function')
}

async function handleRequest(
  request: Request,
  options: MockProviderOptions,
  requests: MockRequest[],
  recordings: RecordedAnswer[],
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const route = findRoute(request.method, pathname, request.headers)
  if (route === undefined)
    return Response.json(
      {
        error: {
          message: `Invalid URL (${request.method} ${pathname})`,
          type: 'invalid_request_error',
          param: null,
          code: null,
        },
      },
      { status: 404 },
    )
  const { dialect, action } = route
  if (options.requiresKey !== false && !hasKey(route, request.headers, searchParams))
    return toErrorResponse(dialect, createMissingKeyError(dialect))
  if (action === 'version') return Response.json({ version: '0.99.0' })
  if (action === 'models') return Response.json(modelLists[dialect](options.models ?? ['mock-model']))
  const body = tryParseJson(await request.text())
  if (!isObject(body))
    return toErrorResponse(
      dialect,
      createRefusal(dialect, 'invalid-request', 400, 'The request body is not valid JSON'),
    )
  const received = readRequest(route, request.headers, body, pathname, requests.length)
  if (options.models?.includes(received.model) === false)
    return toErrorResponse(dialect, createModelError(dialect, received.model))
  if (action === 'count') return Response.json(createTokenCount(dialect, body))
  if (action === 'embed') return Response.json(createEmbeddings(dialect, received.model, body))
  requests.push(received)
  const response = await answerChat(received, request, options, recordings, searchParams.get('alt') !== 'sse')
  options.onRequest?.({ ...received, status: response.status })
  return response
}

function readRequest(
  route: Route,
  headers: Headers,
  body: WireObject,
  path: string,
  index: number,
): MockRequest {
  const { dialect } = route
  const model = route.model ?? (typeof body['model'] === 'string' ? body['model'] : '')
  const isStreamed =
    dialect === 'gemini'
      ? path.endsWith(':streamGenerateContent')
      : body['stream'] === true || (dialect === 'ollama' && body['stream'] !== false)
  const problems = findRequestProblems(dialect, body, {
    model,
    isBeta: headers.has('anthropic-beta'),
    ...(headers.has('anthropic-version') && { apiVersion: headers.get('anthropic-version') ?? '' }),
  })
  return { index, dialect, path, model, isStreamed, body: body as Json, problems }
}

async function answerChat(
  received: MockRequest,
  request: Request,
  options: MockProviderOptions,
  recordings: RecordedAnswer[],
  isArray: boolean,
): Promise<Response> {
  const {
    dialect,
    problems: [problem],
    body,
    path,
    model,
    isStreamed,
  } = received
  const fault = chooseFault(options, received)
  if (fault?.type === 'error') return createFaultResponse(dialect, fault)
  if (problem !== undefined) return toErrorResponse(dialect, createProblemError(dialect, problem))
  const at = recordings.findIndex((each) => each.dialect === dialect)
  const [recording] = at === -1 ? [] : recordings.splice(at, 1)
  if (recording !== undefined)
    return toResponse(replayAnswer(recording), fault, request.signal, recording.status)
  try {
    const decoded = dialects[dialect].decodeRequest(body, { path }).value
    const chatRequest: ChatRequest = { ...decoded, model, stream: isStreamed }
    const answer = await createAnswer(
      dialect,
      chatRequest,
      options.model ?? demo(),
      dialect === 'gemini' && isArray,
      request.signal,
    )
    return toResponse(answer, fault, request.signal)
  } catch (error) {
    if (error instanceof ProviderError) return toErrorResponse(dialect, error)
    if (!(error instanceof InterlinguaError)) throw error
    return toErrorResponse(dialect, createRefusal(dialect, 'server', 500, error.message))
  }
}

function chooseFault({ faults = [] }: MockProviderOptions, request: MockRequest): Fault | undefined {
  return (typeof faults === 'function' ? faults(request) : faults[request.index]) ?? undefined
}

function toResponse(
  { chunks, contentType }: AnswerBody,
  fault: Fault | undefined,
  signal: AbortSignal,
  status = 200,
): Response {
  const body = toReadableStream(applyFault(chunks, fault, signal))
  return new Response(body, { status, headers: { 'content-type': contentType } })
}

function toReadableStream(chunks: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return()
    },
  })
}
