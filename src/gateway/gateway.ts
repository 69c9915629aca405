import type { Cost, Reply } from '../canonical/model/model-interface.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { dialects as builtInDialects } from '../dialects/dialects.ts'
import type { Dialect, DialectName } from '../dialects/engine/dialect.ts'
import { findRoute, type Route, type RouteAction } from '../dialects/server/routes.ts'
import {
  readEmbeddingTexts,
  writeEmbeddings,
  writeModel,
  writeModelList,
  writeTokenCount,
} from '../dialects/server/side-bodies.ts'
import { STREAM_TYPES, toJsonArray, toReadableStream } from '../dialects/server/stream-body.ts'
import { withTypedErrors } from '../wire/internal-error.ts'
import { isObject } from '../wire/json.ts'
import { generateAnswer, streamAnswer } from './chat-answer.ts'
import { checkConfig } from './check-config.ts'
import { Clients, type ConnectedClient } from './clients.ts'
import type { GatewayConfig } from './config.ts'
import { toErrorResponse } from './error-response.ts'
import { readForwardedHeaders } from './forwarded-headers.ts'
import { GatewayRuntime } from './gateway-runtime.ts'
import { answerOther } from './other-endpoints.ts'
import { decodeClientRequest, readBody, type RequestBody } from './read-request.ts'
import { RequestRecord } from './request-log.ts'
import { createResponseHeaders } from './response-headers.ts'
import { Router } from './router.ts'
import { StateKeeper } from './state/conversation-state.ts'

/** Answers requests of every dialect. */
export interface Gateway {
  (request: Request): Promise<Response>
  /**
   * Replaces the configuration; throws and changes nothing if it is invalid. Running answers are completed with the old one.
   * What clients have used, and what is remembered of calls, stays.
   */
  reload(config: GatewayConfig): void
  /** Reports from now on that it is not ready; resolves when running answers have ended and everything is recorded. */
  close(): Promise<void>
}

/** Answers a request. */
type RequestHandler = (request: Request) => Promise<Response>

const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024

/** A request whose endpoint and client are known. */
interface GatewayCall {
  readonly request: Request
  readonly url: URL
  readonly route: Route
  readonly dialect: Dialect
  readonly client: ConnectedClient
  readonly record: RequestRecord
}

/**
 * Creates a handler with the endpoints of every dialect in front of the configured providers. It runs wherever `Request` and
 * `Response` exist; `startGateway` of `interlingua/gateway/node` serves it.
 *
 * @example
 * const gateway = createGateway({
 *   routes: [
 *     { model: 'claude-*', to: 'anthropic:claude-*' },
 *     { model: '*', to: ['openai:gpt-5.5', 'gemini:gemini-3.5-flash'] },
 *   ],
 * })
 * const response = await gateway(request)
 */
export function createGateway(config: GatewayConfig): Gateway {
  const runtime = new GatewayRuntime()
  const create = (given: GatewayConfig): RequestHandler =>
    withTypedErrors(() => {
      checkConfig(given)
      return createHandler(given, runtime)
    }, [given])
  let handle = create(config)
  return Object.assign((request: Request) => handle(request), {
    reload(changed: GatewayConfig) {
      handle = create(changed)
    },
    close: () => runtime.close(),
  })
}

function createHandler(config: GatewayConfig, runtime: GatewayRuntime): RequestHandler {
  const services = runtime.configure(config)
  const router = new Router(config, services.guards)
  const clients = new Clients(config.keys, services)
  const stateKeeper = new StateKeeper(services)
  const { metrics, recorder } = services
  const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES, sanitize = false, tracer } = config
  const dialects: { readonly [name: string]: Dialect } = config.registry?.dialects ?? builtInDialects

  /** What each action does; it ends the client's turn itself if the answer is streamed. */
  const actions: { readonly [action in RouteAction]: (call: GatewayCall) => Promise<Response> } = {
    chat: answerChat,
    count: answerCount,
    embed: answerEmbedding,
    models: async ({ route, client }) =>
      Response.json(writeModelList(route.dialect, router.listNames(client.key))),
    model: answerModel,
    version: async () => Response.json({ version: '0.99.0' }),
  }

  async function answerChat({
    request,
    url,
    route,
    dialect,
    client,
    record,
  }: GatewayCall): Promise<Response> {
    const body = await readBody(request, maxBodyBytes)
    const received = decodeClientRequest(dialect, route, body, { path: url.pathname, sanitize })
    record.add({ model: received.model, isStreamed: received.isStreamed })
    const routed = router.resolve({
      name: received.model,
      key: client.key,
      isStateful: dialect.name === 'openai-responses',
      forwarded: readForwardedHeaders(route.dialect, request.headers),
      observe: (event) => {
        record.addUpstreamEvent(event)
        metrics.addUpstreamEvent(event)
      },
    })
    record.add({ servedBy: routed.targets[0] ?? '', route: routed.route.model })
    const headerFacts = {
      dialect: route.dialect,
      requestId: record.requestId,
      remaining: client.remaining,
    }
    const call = {
      dialect,
      request: received.request,
      routed,
      signal: request.signal,
      state: stateKeeper.forClient(client.key?.name ?? '', dialect.name),
      onFirstToken: () => record.addFirstToken(),
    }
    const recordAnswer = ({ response }: Reply): void =>
      recorder?.record({
        client: client.key?.name ?? '',
        request: received.request,
        answers: response.candidates,
      })
    if (!received.isStreamed) {
      const { body: answer, reply, ...translation } = await generateAnswer(call)
      const losses = [...received.losses, ...translation.losses]
      recordAnswer(reply)
      record.addReply(reply)
      record.write(200, losses)
      client.end(toUsed(reply.usage, reply.cost))
      return Response.json(answer, { headers: createResponseHeaders({ ...headerFacts, losses }) })
    }
    const { bytes, outcome } = await streamAnswer(call)
    void outcome.then(async ({ reply, partialUsage, losses, error }) => {
      if (reply !== undefined) {
        recordAnswer(reply)
        record.addReply(reply)
      }
      const usage = reply?.usage ?? partialUsage
      const cost = reply?.cost ?? (await router.calculateCost(usage, routed))
      record.addUsage(usage, cost)
      record.write(200, [...received.losses, ...losses], error)
      client.end(toUsed(usage, cost))
    })
    const isArray = route.dialect === 'gemini' && url.searchParams.get('alt') !== 'sse'
    return new Response(toReadableStream(isArray ? toJsonArray(bytes) : bytes), {
      headers: {
        ...createResponseHeaders(headerFacts),
        'content-type': isArray ? 'application/json' : STREAM_TYPES[route.dialect],
        'cache-control': 'no-store',
        // Tells proxies to send each event at once.
        'x-accel-buffering': 'no',
      },
    })
  }

  async function answerCount({
    request,
    url,
    route,
    dialect,
    client,
    record,
  }: GatewayCall): Promise<Response> {
    const body = unwrapCountBody(route.dialect, await readBody(request, maxBodyBytes))
    const received = decodeClientRequest(dialect, route, body, { path: url.pathname, sanitize })
    record.add({ model: received.model })
    const { model } = router.resolve({ name: received.model, key: client.key })
    const { model: _model, stream: _stream, ...input } = received.request
    // A provider without a count gets an estimate: clients only compare it with the size of the context.
    const tokens =
      (await model.countTokens?.(input, { signal: request.signal })) ??
      Math.ceil(JSON.stringify(body).length / 4)
    return Response.json(writeTokenCount(route.dialect, tokens))
  }

  async function answerEmbedding({ request, route, client, record }: GatewayCall): Promise<Response> {
    const body = await readBody(request, maxBodyBytes)
    const name = route.model ?? readModelName(body)
    record.add({ model: name })
    const embedding = router.resolveEmbedding(name, client.key)
    const texts = readEmbeddingTexts(body)
    const { vectors, usage } = await embedding.embed(texts, { signal: request.signal })
    const tokens = usage?.inputTokens ?? 0
    return Response.json(writeEmbeddings(route.dialect, { model: name, vectors, tokens }))
  }

  async function answerModel({ request, route, client }: GatewayCall): Promise<Response> {
    const name = route.model ?? readModelName(await readBody(request, maxBodyBytes))
    router.resolve({ name, key: client.key })
    return Response.json(writeModel(route.dialect, name))
  }

  async function answerRoute(request: Request, url: URL, route: Route): Promise<Response> {
    const dialect = dialects[route.dialect] ?? builtInDialects[route.dialect]
    const facts = { dialect: route.dialect, action: route.action }
    const span = await tracer?.startRequest({ ...facts, path: url.pathname, headers: request.headers })
    const end = services.start()
    const record = new RequestRecord(facts, request.headers, (entry) => {
      span?.end(entry)
      end(entry)
    })
    let client: ConnectedClient | undefined
    try {
      client = await clients.connect(route, request.headers, url.searchParams)
      record.add({ ...(client.key && { client: client.key.name }) })
      const call = { request, url, route, dialect, client, record }
      const response = await (span?.run(() => actions[route.action](call)) ?? actions[route.action](call))
      if (route.action !== 'chat') {
        record.write(response.status)
        client.end()
      }
      return response
    } catch (error) {
      client?.end()
      return toErrorResponse(route.dialect, dialect, error, record)
    }
  }

  return async (request) => {
    const url = new URL(request.url)
    const route = findRoute(request.method, url.pathname, request.headers)
    return route === undefined
      ? answerOther(request, url, { clients, ...services })
      : answerRoute(request, url, route)
  }
}

/** Returns the model name of a body; Ollama has two names for the field. */
function readModelName({ model, name }: RequestBody): string {
  if (typeof model === 'string') return model
  return typeof name === 'string' ? name : ''
}

/** The body of a count for Gemini may contain the whole request. */
function unwrapCountBody(dialect: DialectName, body: RequestBody): RequestBody {
  const inner = dialect === 'gemini' ? body['generateContentRequest'] : undefined
  return isObject(inner) ? inner : body
}

/** Returns what an answer has used, for the limits of the client. */
function toUsed(usage: Usage | undefined, cost: Cost | undefined): { tokens: number; cost: number } {
  return { tokens: usage?.totalTokens ?? 0, cost: cost?.amount ?? 0 }
}
