import type {
  BackgroundRun,
  BackgroundRunOptions,
  BackgroundRuns,
  BackgroundStreamOptions,
  CallOptions,
  ModelInput,
  Reply,
  ReplyStream,
  ResumeOptions,
  WaitOptions,
} from '../canonical/model/model-interface.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import { InterlinguaError } from '../errors.ts'
import { isList, isObject, type Json } from '../wire/json.ts'
import { encodePathSegment } from '../wire/urls.ts'
import { checkRunOptions, toChatRequest } from './check-call-input.ts'
import type { DialectCalls, EncodedCall, ReceivedResponse, SentCall, StreamSender } from './dialect-calls.ts'
import { startCallTimer } from './reply.ts'
import { createReplyStream } from './reply-stream.ts'
import type { ContinuableDialect } from './response-continuation.ts'
import { continueStream, StreamCursor, type StreamCursorFields } from './resumable-stream.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport/transport.ts'

/** The background runs of a dialect's API. */
interface BackgroundFormat {
  readonly cursor: StreamCursorFields
  /** The query parameter with the event after which a stream continues. */
  readonly resumeParameter: string
  /** The field and the types of input that the stored response contains before the generated output. */
  readonly input?: { readonly field: string; readonly types: ReadonlySet<unknown> }
}

/**
 * The APIs with background runs.
 * @see https://platform.openai.com/docs/guides/background
 * @see https://ai.google.dev/gemini-api/docs/interactions
 */
const backgroundFormats: { readonly [name in ContinuableDialect['name']]: BackgroundFormat } = {
  'openai-responses': {
    cursor: { response: 'response', eventId: 'sequence_number' },
    resumeParameter: 'starting_after',
  },
  'gemini-interactions': {
    cursor: { response: 'interaction', eventId: 'event_id' },
    resumeParameter: 'last_event_id',
    input: { field: 'steps', types: new Set(['user_input', 'function_result']) },
  },
}

/** The delay before the first request for the state of a run; it doubles up to the second. */
const FIRST_POLL_MS = 500
const MAX_POLL_MS = 10_000

/** What background runs need of their model. */
export interface BackgroundModel {
  readonly name: string
  readonly dialect: ContinuableDialect
  readonly transport: Transport
  readonly calls: DialectCalls
}

/** Creates the background runs of a model. */
export function createBackgroundRuns({ name, dialect, transport, calls }: BackgroundModel): BackgroundRuns {
  const format = backgroundFormats[dialect.name]
  const { now, sleep, retry } = transport.settings

  function prepare(input: ModelInput, call: CallOptions, stream: boolean): EncodedCall {
    const request = toChatRequest(input, call)
    checkStored(request, dialect.name)
    return calls.prepare({ ...request, store: true }, call, stream, { background: true })
  }

  function createRequest(id: string, action = ''): TransportRequest {
    const endpoint = calls.getEndpoint({ model: name, messages: [] })
    const path = `${endpoint.path}/${encodePathSegment(id, '/id')}${action}`
    const sent = { ...endpoint, path, model: name }
    return action === '' ? { ...sent, method: 'GET' } : { ...sent, method: 'POST', body: '{}' }
  }

  async function toRun(
    { value: [response, receivedBody], ...facts }: SentCall<readonly [ChatResponse, Json]>,
    prepared: Omit<EncodedCall, 'body'>,
    call: CallOptions,
  ): Promise<BackgroundRun> {
    const { losses } = prepared
    const { id = '', candidates } = response
    const isFinished = candidates[0]?.finish !== undefined
    const status = isObject(receivedBody) && receivedBody['status'] === 'queued' ? 'queued' : 'running'
    if (!isFinished) return { id, status, losses }
    const reply = await calls.createReply({ response, receivedBody, ...facts }, prepared, call)
    return { id, status: 'finished', losses, reply }
  }

  async function start(input: ModelInput, call: CallOptions = {}): Promise<BackgroundRun> {
    const prepared = prepare(input, call, false)
    const read = (response: TransportResponse): ReturnType<DialectCalls['readResponse']> =>
      calls.readResponse(response, prepared.request)
    return toRun(await calls.send(prepared, read, call), prepared, call)
  }

  /** Sends a request about a run that was started before, possibly by another process. */
  async function request(id: string, action: string, options: BackgroundRunOptions): Promise<BackgroundRun> {
    checkRunOptions.get(options)
    const known = toKnownCall(options)
    const sent = createRequest(id, action)
    const read = (response: TransportResponse): ReturnType<DialectCalls['readResponse']> =>
      calls.readResponse(response, known.request, (body) => removeInput(body, format))
    return toRun({ ...(await transport.send(sent, read, options)), sentBody: 'null' }, known, options)
  }

  function toKnownCall({ request: input, ...call }: BackgroundRunOptions): Omit<EncodedCall, 'body'> {
    // A response whose request is unknown cannot be continued by its id.
    const known = input === undefined ? { messages: [], store: false } : toChatRequest(input, call)
    return { request: known, losses: [], timer: startCallTimer(now) }
  }

  const get = (id: string, options: BackgroundRunOptions = {}): Promise<BackgroundRun> =>
    request(id, '', options)

  async function wait(id: string, options: WaitOptions = {}): Promise<Reply> {
    checkRunOptions.wait(options)
    const { pollIntervalMs, ...call } = options
    for (let delayMs = FIRST_POLL_MS; ; delayMs = Math.min(delayMs * 2, MAX_POLL_MS)) {
      const { reply } = await get(id, call)
      if (reply !== undefined) return reply
      await sleep(pollIntervalMs ?? delayMs, call.signal)
    }
  }

  /** Returns a response whose body continues after the last event if the connection is lost. */
  function makeResumable(
    response: TransportResponse,
    cursor: StreamCursor,
    call: CallOptions,
  ): TransportResponse {
    const readAll = async (next: TransportResponse): Promise<AsyncIterable<Uint8Array>> => next.readBytes()
    const options = {
      cursor,
      maxAttempts: retry.maxAttempts,
      signal: call.signal,
      reopen: async () => {
        const sent = addResumeQuery(createRequest(cursor.runId ?? ''), cursor.eventId)
        return (await transport.send(sent, readAll, call)).value
      },
    }
    return { ...response, readBytes: () => continueStream(response.readBytes(), options) }
  }

  function addResumeQuery(sent: TransportRequest, eventId: string | undefined): TransportRequest {
    const position = eventId === undefined ? {} : { [format.resumeParameter]: eventId }
    const headers = { ...sent.headers, accept: 'text/event-stream' }
    return { ...sent, headers, query: { ...sent.query, stream: 'true', ...position } }
  }

  function stream(input: ModelInput, options: BackgroundStreamOptions = {}): ReplyStream {
    return createReplyStream(async function* (signal) {
      checkRunOptions.stream(options)
      const { onEventId, ...rest } = options
      const call = { ...rest, signal }
      const prepared = prepare(input, call, true)
      const cursor = new StreamCursor(format.cursor, onEventId)
      const { events, getReceived } = yield* calls.openStream(
        prepared.request,
        prepared.timer,
        (read, sending) =>
          calls.send(prepared, (response) => read(makeResumable(response, cursor, call)), sending),
        call,
      )
      return { events, finish: () => calls.createReply(getReceived(), prepared, call) }
    }, options.signal)
  }

  function resume(id: string, options: ResumeOptions = {}): ReplyStream {
    return createReplyStream(async function* (signal) {
      checkRunOptions.resume(options)
      const { after, onEventId, ...rest } = options
      const call = { ...rest, signal }
      const known = toKnownCall(call)
      const cursor = new StreamCursor(format.cursor, onEventId)
      cursor.runId = id
      cursor.eventId = after
      const sent = addResumeQuery(createRequest(id), after)
      const send: StreamSender = async (read, sending) => {
        const readResumable = (response: TransportResponse): ReturnType<typeof read> =>
          read(makeResumable(response, cursor, call))
        return { ...(await transport.send(sent, readResumable, sending)), sentBody: 'null' }
      }
      let received: ReceivedResponse
      try {
        const { events, getReceived } = yield* calls.openStream(known.request, known.timer, send, call)
        yield* events
        received = getReceived()
      } catch (error) {
        // Nothing follows the last event of a run that has finished.
        const { reply } = after === undefined || cursor.eventId !== after ? {} : await get(id, call)
        if (reply === undefined) throw error
        return reply
      }
      // The events after one of them are only a part of the response, and those of agents contain no usage.
      const isPartial = after !== undefined || received.response.usage === undefined
      return isPartial ? wait(id, call) : calls.createReply(received, known, call)
    }, options.signal)
  }

  return {
    start,
    get,
    wait,
    cancel: (id, options = {}) => request(id, '/cancel', options),
    stream,
    resume,
  }
}

/** Throws for a request that forbids to store the response, which a background run needs. */
function checkStored({ store, extra }: ChatRequest, dialect: string): void {
  if (store !== false && extra?.[dialect]?.['store'] !== false) return
  throw new InterlinguaError('invalid-value', 'A background run cannot have `store: false`', {
    path: '/store',
    found: 'false',
    expected: 'true, or no value',
    hint: 'The provider stores the response until you get it. Remove `store`, or call `generate`.',
  })
}

/** Returns a stored response without the input that it contains before the output. */
function removeInput(body: Json, { input }: BackgroundFormat): Json {
  const items = input !== undefined && isObject(body) ? body[input.field] : undefined
  if (input === undefined || !isObject(body) || !isList(items)) return body
  const last = items.findLastIndex((item) => isObject(item) && input.types.has(item['type']))
  return { ...body, [input.field]: items.slice(last + 1) }
}
