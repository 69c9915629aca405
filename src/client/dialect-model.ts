import type {
  BackgroundRuns,
  CallOptions,
  Model,
  ModelInput,
  Reply,
  ReplyStream,
} from '../canonical/model/model-interface.ts'
import type { Endpoint } from '../dialects/engine/dialect.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import { createBackgroundRuns } from './background-runs.ts'
import { type DialectCallOptions, DialectCalls } from './dialect-calls.ts'
import { createReplyStream } from './reply-stream.ts'
import { isContinuable } from './response-continuation.ts'
import type { TransportRequest, TransportResponse } from './transport/transport.ts'
import { invalidResponseError } from './transport/transport-errors.ts'

/** The wire format of a host's token counting endpoint. */
export interface TokenCountFormat {
  readonly buildPath: (endpoint: Endpoint) => string
  /** Builds the body of the count request from the body that would be sent to the model. */
  readonly buildBody: (body: JsonObject, model: string) => JsonObject
  readonly readCount: (body: Json) => number | undefined
}

/** Options of {@link createDialectModel}. */
export interface DialectModelOptions extends DialectCallOptions {
  /** The format of the token counting endpoint, if the provider has one. */
  readonly tokenCountFormat?: TokenCountFormat
  /** Present if the provider has background runs; `required` if it serves the model only in the background. */
  readonly background?: 'optional' | 'required'
}

/** Creates a model that sends requests and decodes responses in the dialect of its provider. */
export function createDialectModel(options: DialectModelOptions): Model {
  const { name, dialect, transport, capabilities = {}, tokenCountFormat } = options
  const { provider } = transport
  const calls = new DialectCalls(options)
  const background =
    options.background !== undefined && isContinuable(dialect)
      ? createBackgroundRuns({ name, dialect, transport, calls })
      : undefined

  async function generate(input: ModelInput, call: CallOptions = {}): Promise<Reply> {
    const prepared = calls.prepare(input, call, false)
    const read = (response: TransportResponse): ReturnType<DialectCalls['readResponse']> =>
      calls.readResponse(response, prepared.request)
    const { value, ...facts } = await calls.send(prepared, read, call)
    const [response, receivedBody] = value
    return calls.createReply({ response, receivedBody, ...facts }, prepared, call)
  }

  function stream(input: ModelInput, callerOptions: CallOptions = {}): ReplyStream {
    // All work happens when the stream is read, so that its reader gets every error.
    return createReplyStream(async function* (signal) {
      const call = { ...callerOptions, signal }
      const prepared = calls.prepare(input, call, true)
      const { request, timer } = prepared
      const { events, getReceived } = yield* calls.openStream(
        request,
        timer,
        (read, sending) => calls.send(prepared, read, sending),
        call,
      )
      return { events, finish: () => calls.createReply(getReceived(), prepared, call) }
    }, callerOptions.signal)
  }

  async function count(
    { buildPath, buildBody, readCount }: TokenCountFormat,
    input: ModelInput,
    call: CallOptions = {},
  ): Promise<number> {
    const { request, body: sentBody } = calls.prepare(input, call)
    const endpoint = calls.getEndpoint(request)
    const body = JSON.stringify(buildBody(JSON.parse(sentBody) as JsonObject, name))
    const path = buildPath(endpoint)
    const counting: TransportRequest = { ...endpoint, method: 'POST', path, body, model: name }
    const read = async (response: TransportResponse): Promise<number> => {
      const received = await response.readJson()
      const tokens = readCount(received)
      if (tokens !== undefined) return tokens
      throw invalidResponseError('The response contains no token count', received, response.errorContext)
    }
    return (await transport.send(counting, read, call)).value
  }

  const runs = options.background === 'required' ? background : undefined
  return {
    name,
    provider,
    capabilities,
    generate: runs === undefined ? generate : (input, call) => runInBackground(runs, input, call),
    stream: runs === undefined ? stream : (input, call) => streamInBackground(runs, input, call),
    ...(tokenCountFormat && { countTokens: (input, call) => count(tokenCountFormat, input, call) }),
    ...(background && { background }),
  }
}

/** Runs a call in the background and waits for its reply. Aborting the call cancels the run, whose id no caller has. */
async function runInBackground(
  runs: BackgroundRuns,
  input: ModelInput,
  call: CallOptions = {},
): Promise<Reply> {
  const { id, losses, reply: immediateReply } = await runs.start(input, call)
  if (immediateReply !== undefined) return immediateReply
  try {
    const reply = await runs.wait(id, { ...call, request: input })
    return { ...reply, losses: [...losses, ...reply.losses] }
  } catch (error) {
    if (call.signal?.aborted === true) cancelWithoutWaiting(runs, id)
    throw error
  }
}

/** Streams a call that runs in the background. Aborting the call, or leaving the stream, cancels the run. */
function streamInBackground(
  runs: BackgroundRuns,
  input: ModelInput,
  callerOptions: CallOptions = {},
): ReplyStream {
  return createReplyStream(async function* (signal) {
    const stream = runs.stream(input, { ...callerOptions, signal })
    let id: string | undefined
    let isFinished = false
    try {
      for await (const event of stream) {
        if (event.type === 'start') ({ id } = event)
        isFinished ||= event.type === 'finish'
        yield event
      }
      return await stream.reply
    } finally {
      if (!isFinished && id !== undefined && signal.aborted) cancelWithoutWaiting(runs, id)
    }
  }, callerOptions.signal)
}

/** Cancels a run. If that fails, the run ends by itself. */
function cancelWithoutWaiting(runs: BackgroundRuns, id: string): void {
  runs.cancel(id).catch(() => {})
}
