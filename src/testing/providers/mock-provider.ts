import type { Model } from '../../canonical/model/model-interface.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { demo } from '../../client/demo-model.ts'
import type { DialectName, Flavor } from '../../dialects/engine/dialect.ts'
import { checkFlavor } from '../../dialects/engine/flavor-registry.ts'
import { dialects } from '../../dialects/dialects.ts'
import { InterlinguaError, ProviderError } from '../../errors.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { checkMethods } from '../../wire/check-methods.ts'
import { checkOptions, type OptionNames } from '../../wire/check-options.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { child } from '../../wire/json-pointer.ts'
import { digestText } from '../../wire/digest.ts'
import { isObject, tryParseJson, type Json, type JsonObject } from '../../wire/json.ts'
import { type AnswerBody, createAnswer, type RecordedAnswer, replayAnswer } from './provider-answers.ts'
import {
  type BackgroundDialect,
  findRun,
  isBackgroundRequest,
  MockBackgroundRuns,
} from './mock-background-runs.ts'
import { applyFault, checkFault, createFaultResponse, type Fault } from './faults.ts'
import {
  createMissingKeyError,
  createModelError,
  createProblemError,
  createMockRefusal,
  toErrorResponse,
} from './refusals.ts'
import { findRoute, isStreamedRequest, needsKey, readKey, type Route } from '../../dialects/server/routes.ts'
import { findRequestProblems } from '../rules/find-request-problems.ts'
import type { RequestProblem, WireObject } from '../rules/request-rule.ts'
import {
  readEmbeddingTexts,
  writeEmbeddings,
  writeModel,
  writeModelList,
  writeTokenCount,
} from '../../dialects/server/side-endpoint-bodies.ts'
import { toReadableStream } from '../../dialects/server/stream-body.ts'

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
  /**
   * The host to imitate: requests are refused by what its flavor lists, and answers have its form. Default: the provider of
   * each dialect.
   */
  readonly flavor?: Flavor
  /** Called with each request after its answer was chosen, for logs. */
  readonly onRequest?: (request: MockRequest & { readonly status: number }) => void
}

/** The names of the options of a mock provider. */
export const MOCK_OPTION_NAMES: OptionNames<MockProviderOptions> = {
  model: true,
  recordings: true,
  faults: true,
  models: true,
  requiresKey: Boolean,
  flavor: true,
  onRequest: Function,
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
  checkOptions('`mockProvider`', options, MOCK_OPTION_NAMES)
  checkFlavor(options.flavor)
  withTypedErrors(() => checkOptionTypes(options))
  const requests: MockRequest[] = []
  const recordings = [...(options.recordings ?? [])]
  const runs = new MockBackgroundRuns()
  return {
    requests,
    fetch: async (request) => {
      checkMethods(request, 'request', 'a Request', ['text'])
      return handleRequest(request, options, requests, recordings, runs)
    },
  }
}

function checkOptionTypes({ model, recordings, faults, models, onRequest }: MockProviderOptions): void {
  if (model !== undefined) checkMethods(model, 'model', 'a model', ['generate', 'stream'])
  for (const [name, value] of Object.entries({ recordings, models }))
    if (value !== undefined && !Array.isArray(value)) throwWrongType(value, child(undefined, name), 'a list')
  if (faults !== undefined && typeof faults !== 'function' && !Array.isArray(faults))
    throwWrongType(faults, child(undefined, 'faults'), 'a list or a function')
  if (Array.isArray(faults))
    for (const fault of faults as readonly (Fault | null)[]) if (fault !== null) checkFault(fault)
  if (onRequest !== undefined && typeof onRequest !== 'function')
    throwWrongType(onRequest, child(undefined, 'onRequest'), 'a function')
}

async function handleRequest(
  request: Request,
  options: MockProviderOptions,
  requests: MockRequest[],
  recordings: RecordedAnswer[],
  runs: MockBackgroundRuns,
): Promise<Response> {
  const { hostname, pathname, searchParams } = new URL(request.url)
  const run = findRun(request.method, pathname)
  const route =
    run === undefined
      ? findRoute(request.method, `${hostname}${pathname}`, request.headers)
      : { ...run, action: 'chat' as const }
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
  if (
    options.requiresKey !== false &&
    needsKey(route) &&
    readKey(route, request.headers, searchParams) === ''
  )
    return toErrorResponse(dialect, createMissingKeyError(dialect))
  if (run !== undefined) return runs.respond(run, searchParams)
  if (action === 'version') return Response.json({ version: '0.99.0' })
  if (action === 'models') return Response.json(writeModelList(dialect, options.models ?? ['mock-model']))
  if (action === 'model' && route.model !== undefined) return Response.json(writeModel(dialect, route.model))
  const body = tryParseJson(await request.text())
  if (!isObject(body))
    return toErrorResponse(
      dialect,
      createMockRefusal(dialect, 'invalid-request', 400, 'The request body is not valid JSON'),
    )
  const received = readRequest(route, request.headers, body, pathname, requests.length, options.flavor)
  if (options.models?.includes(received.model) === false)
    return toErrorResponse(dialect, createModelError(dialect, received.model))
  if (action === 'model') return Response.json(writeModel(dialect, received.model))
  if (action === 'count') return Response.json(writeTokenCount(dialect, estimateTokens(JSON.stringify(body))))
  if (action === 'embed') {
    const texts = readEmbeddingTexts(body)
    const tokens = estimateTokens(texts.join(''))
    return Response.json(
      writeEmbeddings(dialect, { model: received.model, vectors: texts.map(createVector), tokens }, body),
    )
  }
  requests.push(received)
  const isArray = searchParams.get('alt') !== 'sse'
  const response = await answerChat(received, request, options, recordings, isArray, runs)
  options.onRequest?.({ ...received, status: response.status })
  return response
}

function readRequest(
  route: Route,
  headers: Headers,
  body: WireObject,
  path: string,
  index: number,
  flavor: Flavor | undefined,
): MockRequest {
  const { dialect } = route
  const named = body['model'] ?? body['agent']
  const model = route.model ?? (typeof named === 'string' ? named : '')
  const isStreamed = isStreamedRequest(dialect, body, path)
  const problems = findRequestProblems(dialect, body, {
    model,
    isBeta: headers.has('anthropic-beta'),
    ...(flavor && { flavor }),
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
  runs: MockBackgroundRuns,
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
    const { flavor } = options
    const decoded = dialects[dialect].decodeRequest(body, { path, ...(flavor && { flavor }) }).value
    const chatRequest: ChatRequest = { model, ...decoded, stream: isStreamed }
    const answering = options.model ?? demo()
    const { signal } = request
    if (isBackgroundRequest(dialect, body))
      return toResponse(
        await runs.start(dialect as BackgroundDialect, chatRequest, body as JsonObject, answering, signal),
        fault,
        signal,
      )
    const answer = await createAnswer(
      dialect,
      chatRequest,
      answering,
      dialect === 'gemini' && isArray,
      request.signal,
      flavor,
    )
    return toResponse(answer, fault, request.signal)
  } catch (error) {
    if (error instanceof ProviderError) return toErrorResponse(dialect, error)
    if (!(error instanceof InterlinguaError)) throw error
    return toErrorResponse(dialect, createMockRefusal(dialect, 'server', 500, error.message))
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

function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

/** Returns a vector that is the same for the same text. */
function createVector(text: string): readonly number[] {
  const digest = digestText(text)
  return Array.from(
    { length: 8 },
    (_, index) => Number.parseInt(digest.slice(index * 4, index * 4 + 4), 16) / 65_535,
  )
}
