import type { Cost, Reply } from '../canonical/model/model-interface.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { dialects as builtInDialects } from '../dialects/dialects.ts'
import type { Dialect } from '../dialects/engine/dialect.ts'
import { findRoute, readKey, type Route, type RouteAction } from '../dialects/server/routes.ts'
import { writeModelList } from '../dialects/server/side-endpoint-bodies.ts'
import { STREAM_TYPES, toJsonArray } from '../dialects/server/stream-body.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { estimateInputTokens } from './answer-events.ts'
import { generateAnswer, streamAnswer, streamNoAnswer, type StreamOutcome } from './chat-answer.ts'
import { type ChatResponses, webResponses } from './chat-responses.ts'
import { checkConfig } from './check-config.ts'
import { ClientRegistry, type ConnectedClient, toUsedAmounts } from './client-registry.ts'
import type { GatewayConfig } from './config.ts'
import { isHiddenFromClient, toErrorResponse } from './error-response.ts'
import { readForwardedHeaders } from './forwarded-headers.ts'
import { startRequestSpan } from './gateway-tracer.ts'
import { GatewayRuntime } from './gateway-runtime.ts'
import { answerOther } from './other-endpoints.ts'
import { readRequestBody } from './read-request.ts'
import { RequestRecord } from './request-record.ts'
import { createLossHeaders, createResponseHeaders, createStreamHeaders } from './response-headers.ts'
import { BackgroundResponses, isBackgroundTurn } from './responses/background-responses.ts'
import { compactConversation } from './responses/compact-conversation.ts'
import type { ConnectionMemory } from './responses/connection-memory.ts'
import { findResponseRoute, type ResponseRoute } from './responses/response-routes.ts'
import { ResponseService } from './responses/response-service.ts'
import { Router } from './router.ts'
import { answerCount, answerEmbedding, answerModel, type GatewayCall } from './side-endpoints.ts'
import { StateKeeper } from './state/conversation-state.ts'

/** Answers requests of every dialect. */
export interface Gateway {
  /** Answers a request. Those of one WebSocket have the same `connection`. */
  (request: Request, connection?: ConnectionMemory): Promise<Response>
  /**
   * Replaces the configuration; throws and changes nothing if it is invalid. Running answers are completed with the old one.
   * What clients have used, and what is remembered of calls, stays.
   */
  reload(config: GatewayConfig): void
  /** Reports from now on that it is not ready; resolves when running answers have ended and everything is recorded. */
  close(): Promise<void>
}

/** Answers a request. */
type RequestHandler = (request: Request, connection?: ConnectionMemory) => Promise<Response>

/** The default of `maxBodyBytes`. */
export const DEFAULT_MAX_BODY_BYTES: number = 32 * 1024 * 1024

/** A request about stored responses. */
type StoredCall = Omit<GatewayCall, 'route'> & { readonly route: ResponseRoute }

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
  return createServedGateway(config, webResponses)
}

/** Creates a gateway whose server sends the answers to chat requests, except those of WebSockets, in its own way. */
export function createServedGateway(config: GatewayConfig, chatResponses: ChatResponses): Gateway {
  const runtime = new GatewayRuntime()
  const runs = new BackgroundResponses()
  const create = (given: GatewayConfig): RequestHandler =>
    withTypedErrors(() => {
      checkConfig(given)
      return createHandler(given, runtime, runs, chatResponses)
    }, [given])
  let handle = create(config)
  return Object.assign<RequestHandler, Pick<Gateway, 'reload' | 'close'>>(
    (request, connection) => handle(request, connection),
    {
      reload(changed: GatewayConfig) {
        handle = create(changed)
      },
      close() {
        runs.close()
        return runtime.close()
      },
    },
  )
}

function createHandler(
  config: GatewayConfig,
  runtime: GatewayRuntime,
  runs: BackgroundResponses,
  chatResponses: ChatResponses,
): RequestHandler {
  const services = runtime.configure(config)
  const router = new Router(config, services.guards)
  const clients = new ClientRegistry(config.keys, services)
  const stateKeeper = new StateKeeper(services)
  const { metrics, recorder } = services
  const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES, sanitize = false, tracer } = config
  const responses = new ResponseService({ ...config, runs, sanitize, ...services })
  const dialects: { readonly [name: string]: Dialect } = config.registry?.dialects ?? builtInDialects

  const side = { router, maxBodyBytes, sanitize }

  /** What each action does; it ends the client's turn itself if the answer is streamed. */
  const actions: { readonly [action in RouteAction]: (call: GatewayCall) => Promise<Response> } = {
    chat: answerChat,
    count: (call) => answerCount(call, side),
    embed: (call) => answerEmbedding(call, side),
    models: async ({ route, client }) =>
      Response.json(writeModelList(route.dialect, router.listNames(client.key))),
    model: (call) => answerModel(call, side),
    version: async () => Response.json({ version: '0.99.0' }),
  }

  /** Reads a request and the conversation that it continues, and selects the model. */
  async function openChat(call: Omit<GatewayCall, 'route'>, route: Pick<Route, 'model'>) {
    const { request, url, dialect, client, record, connection } = call
    const name = client.key?.name ?? ''
    const body = await readRequestBody(request, maxBodyBytes)
    const turn = await responses.openTurn(
      { dialect, route, path: url.pathname, body, client: name },
      connection,
    )
    record.add({ model: turn.model, isStreamed: turn.isStreamed })
    const routed = router.resolve({
      name: turn.model,
      key: client.key,
      forwarded: readForwardedHeaders(dialect.name, request.headers),
      observe: (event) => {
        record.addUpstreamEvent(event)
        metrics.addUpstreamEvent(event)
      },
    })
    record.add({ servedBy: routed.targets[0] ?? '', route: routed.route.model })
    const chat = {
      dialect,
      request: turn.request,
      input: turn.input,
      toResponseId: turn.toResponseId,
      routed,
      state: stateKeeper.forClient(name, dialect.name),
      onFirstToken: () => record.addFirstToken(),
    }
    const recordReply = (reply: Reply): void => {
      const { candidates } = reply.response
      recorder?.record({ client: name, request: turn.input, answers: candidates })
      record.addReply(reply)
    }
    return { turn, chat, routed, recordReply }
  }

  async function answerChat(call: GatewayCall): Promise<Response> {
    const { request, url, route, client, record } = call
    const { turn, chat, routed, recordReply } = await openChat(call, route)
    const { requestId } = record
    const bodies = call.connection === undefined ? chatResponses : webResponses
    const headerFacts = { dialect: route.dialect, requestId, remaining: client.remaining }
    const calculateCost = (usage: Usage | undefined): Promise<Cost | undefined> =>
      router.calculateCost(usage, routed).catch((error: unknown) => {
        services.onError(error)
        return undefined
      })
    const end = async ({ reply, partialUsage, losses, error }: StreamOutcome): Promise<void> => {
      if (reply !== undefined) recordReply(reply)
      const usage = reply?.usage ?? partialUsage
      const cost = reply?.cost ?? (await calculateCost(usage))
      record.addUsage(usage, cost)
      // First: `close()` resolves when the last entry is written.
      client.end(toUsedAmounts(usage, cost))
      record.write(200, [...turn.losses, ...losses], error)
    }
    /** The provider charges for a request whose client leaves before the answer. */
    const chargeAborted = async (error: unknown): Promise<never> => {
      if (request.signal.aborted) {
        const inputTokens = estimateInputTokens(chat.input)
        const usage = { inputTokens, outputTokens: 0, totalTokens: inputTokens }
        const cost = await calculateCost(usage)
        record.addUsage(usage, cost)
        client.end(toUsedAmounts(usage, cost))
      }
      throw error
    }
    const store = responses.getStore(client.key?.name ?? '')
    if (store !== undefined && isBackgroundTurn(turn))
      return runs.start({ call: chat, turn, store, onEnd: end, onError: services.onError })
    const chatCall = { ...chat, signal: request.signal }
    if (!turn.isStreamed) {
      const answer = await generateAnswer(chatCall).catch(chargeAborted)
      const { reply } = answer
      const losses = [...turn.losses, ...answer.losses]
      const body = await turn.completeAnswer(answer)
      recordReply(reply)
      record.write(200, losses)
      client.end(toUsedAmounts(reply.usage, reply.cost))
      return bodies.json(body, createResponseHeaders({ ...headerFacts, losses }))
    }
    const answer =
      turn.stateful?.skipsModel === true
        ? streamNoAnswer(chat)
        : await streamAnswer(chatCall).catch(chargeAborted)
    void answer.outcome.then(end)
    const events = turn.completeStream(answer)
    const isArray = route.dialect === 'gemini' && url.searchParams.get('alt') !== 'sse'
    // The response is stored while its last events are sent.
    const endUse = services.usage.start()
    const headers = createStreamHeaders(
      headerFacts,
      isArray ? 'application/json' : STREAM_TYPES[route.dialect],
    )
    return bodies.stream(isArray ? toJsonArray(events) : events, headers, endUse)
  }

  async function answerStored(call: StoredCall): Promise<Response> {
    const { route, request, dialect, url, client, record } = call
    const { action } = route
    const name = client.key?.name ?? ''
    if (action === 'connect') return createUpgradeRefusal()
    if (action !== 'compact')
      return responses.answer({ route: { ...route, action }, dialect, url, client: name })
    const { turn, chat } = await openChat(call, {})
    const { body, reply } = await compactConversation({
      ...chat,
      signal: request.signal,
      client: name,
      sealer: services.sealer,
    })
    record.addReply(reply)
    const losses = [...turn.losses, ...reply.losses]
    record.write(200, losses)
    client.end(toUsedAmounts(reply.usage, reply.cost))
    return Response.json(body, { headers: createLossHeaders(losses) })
  }

  async function answerRoute(
    request: Request,
    url: URL,
    route: Route | ResponseRoute,
    connection: ConnectionMemory | undefined,
  ): Promise<Response> {
    const dialect = dialects[route.dialect] ?? builtInDialects[route.dialect]
    const facts = { dialect: route.dialect, action: route.action }
    const traced = { ...facts, path: url.pathname, headers: request.headers }
    const endUse = services.usage.start()
    const span = await startRequestSpan(tracer, traced, services.onError)
    const end = services.start()
    const record = new RequestRecord(facts, request.headers, (entry) => {
      try {
        span?.end(entry)
      } finally {
        end(entry)
        endUse()
      }
    })
    let client: ConnectedClient | undefined
    try {
      const key = await clients.identify(readKey(route, request.headers, url.searchParams))
      if (key !== undefined) record.add({ client: key.name })
      client = await clients.connect(key)
      const call = { request, url, dialect, client, record, connection }
      const answer = (): Promise<Response> =>
        'id' in route ? answerStored({ ...call, route }) : actions[route.action]({ ...call, route })
      const response = await (span?.run(answer) ?? answer())
      if (route.action !== 'chat') {
        record.write(response.status)
        const { requestId } = record
        const headers = createResponseHeaders({ ...facts, requestId, remaining: client.remaining })
        for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
        client.end()
      }
      return response
    } catch (error) {
      client?.end()
      if (isHiddenFromClient(error) && !request.signal.aborted) services.onError(error)
      return toErrorResponse(route.dialect, dialect, error, record)
    }
  }

  return async (request, connection) => {
    const url = new URL(request.url)
    const route =
      findResponseRoute(request.method, url.pathname) ??
      findRoute(request.method, url.pathname, request.headers)
    return route === undefined
      ? answerOther(request, url, { clients, ...services })
      : answerRoute(request, url, route, connection)
  }
}

/** Programs that try a WebSocket first continue with plain requests after this status. A server with WebSockets upgrades. */
function createUpgradeRefusal(): Response {
  return new Response(null, { status: 426, headers: { upgrade: 'websocket' } })
}
