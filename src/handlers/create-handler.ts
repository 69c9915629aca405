import type { Agent } from '../agent/agent.ts'
import type { AgentStream } from '../agent/agent-stream.ts'
import { InterlinguaError } from '../errors.ts'
import { memoryStreamLog } from '../stores/streams/memory-stream-log.ts'
import type { StreamLog } from '../stores/streams/stream-log.ts'
import { checkMethods } from '../wire/check-methods.ts'
import { checkOptions, type OptionNames } from '../wire/check-options.ts'
import { printError } from '../wire/print-error.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { isObject, type Json, tryParseJson } from '../wire/json.ts'
import { throwIfAborted } from '../wire/cancellation.ts'
import { HttpError, toErrorResponse, toFailureResponse } from './error-response.ts'
import type { HandlerOptions, HandlerOptionsSource, RequestHandler } from './handler-options.ts'
import { type ProtocolChunk, startLoggedRun } from './logged-run.ts'
import { readLastEvent, type StreamProtocol, toStreamResponse } from './stream-response.ts'
import { readRequestText } from '../wire/read-request-text.ts'

const DEFAULT_MAX_BODY_BYTES = 10 * 1024 * 1024

/** A run that a request asks for. */
export interface RequestedRun {
  start(signal: AbortSignal): Promise<AgentStream<unknown>>
  toChunks(stream: AgentStream<unknown>): AsyncIterable<ProtocolChunk>
  /** Chunks that a client needs first if it did not start the run. */
  readonly replay?: readonly object[]
}

/** The parts of a handler that depend on the protocol. */
export interface HandlerProtocol<Body, O extends HandlerOptions<Body>> {
  /** The names of its options. */
  readonly optionNames: OptionNames<O>
  readBody(body: Json): Body
  /** Returns the id of the conversation. */
  getTopic(body: Body): string
  /** Plans a run; the agent is the one for this request. */
  planRun(body: Body, agent: Agent, options: O): Promise<RequestedRun>
  /** Returns how a stream of a conversation is sent. */
  toStreamProtocol(topic: string, options: O): StreamProtocol
}

/** A request with the options that apply to it. */
interface RequestContext<Body, O extends HandlerOptions<Body>> {
  readonly request: Request
  readonly protocol: HandlerProtocol<Body, O>
  readonly options: O
  readonly streams: StreamLog
  readonly onError: (error: unknown) => void
}

/** A misspelled `storage` would answer from the history of the client. */
function checkHandlerOptions<Body, O extends HandlerOptions<Body>>(
  { optionNames }: HandlerProtocol<Body, O>,
  options: O,
): void {
  checkOptions('the handler', options, optionNames)
  const { agent, storage } = options
  if (typeof agent !== 'function') checkMethods(agent, 'agent', 'an agent', ['send', 'stream'])
  if (storage !== undefined)
    checkMethods(storage, 'storage', 'a storage', ['messages', 'append', 'forTenant'])
}

/** Creates a handler from a protocol. */
export function createHandler<Body, O extends HandlerOptions<Body>>(
  protocol: HandlerProtocol<Body, O>,
  source: HandlerOptionsSource<O>,
): RequestHandler {
  if (typeof source !== 'function') withTypedErrors(() => checkHandlerOptions(protocol, source), [source])
  const defaultStreams = memoryStreamLog()
  return async (request) => {
    let onError: (error: unknown) => void = printError
    try {
      const options = typeof source === 'function' ? await source(request) : source
      if (options instanceof Response) return options
      // The options of a function are checked below: they may be no object.
      if (isObject(options) && options.onError !== undefined) onError = options.onError
      if (typeof source === 'function') {
        try {
          checkHandlerOptions(protocol, options)
        } catch (error) {
          // A mistake of the application, whatever its code is.
          return toFailureResponse(error, onError)
        }
      }
      const tenant = options.storage?.tenant ?? defaultStreams.tenant
      const streams = options.streams ?? defaultStreams.forTenant(tenant)
      return await answer({ request, protocol, options, streams, onError })
    } catch (error) {
      return toErrorResponse(error, onError)
    }
  }
}

/** What each method does, by its name. `GET` and `DELETE` need a path that ends with `/<id>/stream`. */
async function answer<Body, O extends HandlerOptions<Body>>(
  context: RequestContext<Body, O>,
): Promise<Response> {
  const { method, url } = context.request
  const topic = readStreamTopic(url)
  if (method === 'POST') return startRun(context)
  if (method === 'GET' && topic !== undefined) return continueStream(context, topic)
  if (method === 'DELETE' && topic !== undefined) return stopStream(context, topic)
  const allowed = topic === undefined ? 'POST' : 'POST, GET, DELETE'
  throw new HttpError(
    405,
    new InterlinguaError('unsupported', 'The method is not supported for this path', {
      found: 'another method',
      expected: allowed,
      hint: 'Post messages; get or delete `<path>/<id>/stream` to continue or stop a stream.',
    }),
    { allow: allowed },
  )
}

async function startRun<Body, O extends HandlerOptions<Body>>(
  context: RequestContext<Body, O>,
): Promise<Response> {
  const { request, protocol, options, streams, onError } = context
  const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES, stopOnDisconnect = options.streams === undefined } = options
  const body = protocol.readBody(await readJsonBody(request, maxBodyBytes))
  const agent = typeof options.agent === 'function' ? await options.agent(body, request) : options.agent
  const run = await protocol.planRun(body, agent, options)
  throwIfAborted(request.signal)
  const topic = protocol.getTopic(body)
  const { id, after, stop } = await startLoggedRun({
    streams,
    topic,
    start: (signal) => run.start(signal),
    toChunks: (stream) => run.toChunks(stream),
    replay: run.replay ?? [],
    onError,
  })
  return toStreamResponse(
    {
      streams,
      id,
      after,
      signal: request.signal,
      ...(stopOnDisconnect && { onDisconnect: stop }),
    },
    protocol.toStreamProtocol(topic, options),
  )
}

/** Sends the active stream of a conversation from its start, or a stream after the last event that the client has. */
async function continueStream<Body, O extends HandlerOptions<Body>>(
  { request, protocol, options, streams }: RequestContext<Body, O>,
  topic: string,
): Promise<Response> {
  const latest = await streams.latest(topic)
  const after = latest && readLastEvent(request, latest.id)
  if (latest === undefined || (latest.status !== 'active' && after === undefined))
    return new Response(null, { status: 204 })
  return toStreamResponse(
    { streams, id: latest.id, after: after ?? 0, signal: request.signal },
    protocol.toStreamProtocol(topic, options),
  )
}

async function stopStream<Body, O extends HandlerOptions<Body>>(
  { streams }: RequestContext<Body, O>,
  topic: string,
): Promise<Response> {
  const latest = await streams.latest(topic)
  if (latest?.status === 'active') await streams.requestStop(latest.id)
  return new Response(null, { status: 204 })
}

/** Returns the id in a path that ends with `/<id>/stream`. */
function readStreamTopic(url: string): string | undefined {
  const [, id] = /\/([^/]+)\/stream\/?$/.exec(new URL(url, 'http://localhost').pathname) ?? []
  try {
    return id && decodeURIComponent(id)
  } catch {
    return undefined
  }
}

/**
 * Reads the JSON body of a request. A body that is longer than the limit is not read to its end. Other content types
 * are refused, because a page of another site can post them without asking the browser.
 */
async function readJsonBody(request: Request, maxBytes: number): Promise<Json> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
    throw new HttpError(
      415,
      new InterlinguaError('invalid-value', 'The body has the wrong content type', {
        found: type === '' ? 'no content type' : 'another content type',
        expected: 'application/json',
        hint: 'Send the header `content-type: application/json`.',
      }),
    )
  const text = await readRequestText(request, maxBytes)
  if (text === undefined) throw createTooLargeError(maxBytes)
  const value = tryParseJson(text)
  if (value !== undefined) return value
  throw new InterlinguaError('not-json', 'The body is not JSON', {
    found: 'other text',
    expected: 'a JSON object',
    hint: 'Send the body as one JSON object.',
  })
}

function createTooLargeError(maxBytes: number): HttpError {
  return new HttpError(
    413,
    new InterlinguaError('too-many-elements', 'The body is too large', {
      found: `more than ${maxBytes} bytes`,
      expected: `at most ${maxBytes} bytes`,
      hint: 'Send less, or set `maxBodyBytes` of the handler.',
    }),
  )
}
