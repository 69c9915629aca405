import { toEvents } from '../../canonical/stream/to-events.ts'
import type { Model } from '../../canonical/model/model-interface.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { splitDeltas } from '../../client/split-deltas.ts'
import { dialects } from '../../dialects/dialects.ts'
import { isList, isObject, type JsonObject, tryParseJson } from '../../wire/json.ts'
import { type AnswerBody, toChunks } from './provider-answers.ts'
import { createMockRefusal, toErrorResponse } from './refusals.ts'

/** The dialects whose providers run requests in the background. */
export type BackgroundDialect = 'openai-responses' | 'gemini-interactions'

/** Returns true if a request of a dialect asks for a background run. */
export function isBackgroundRequest(dialect: string, body: unknown): boolean {
  const hasRuns = dialect === 'openai-responses' || dialect === 'gemini-interactions'
  return hasRuns && isObject(body) && body['background'] === true
}

/** A request about a run. */
interface RunRequest {
  readonly dialect: BackgroundDialect
  readonly id: string
  readonly isCancellation: boolean
}

/** Returns the run that a request to a path is about; undefined if it is about none. */
export function findRun(method: string, path: string): RunRequest | undefined {
  const [, list, id, action] = /\/(responses|interactions)\/([^/]+)(\/cancel)?$/.exec(path) ?? []
  if (id === undefined || method !== (action === undefined ? 'GET' : 'POST')) return undefined
  const dialect = list === 'responses' ? 'openai-responses' : 'gemini-interactions'
  return { dialect, id: decodeURIComponent(id), isCancellation: action !== undefined }
}

/** A run: its final body, its events, and how often its state is still reported as unfinished. */
interface MockRun {
  readonly dialect: BackgroundDialect
  readonly body: JsonObject
  readonly events: readonly { readonly id: string; readonly text: string }[]
  readonly input: readonly unknown[]
  readonly isStreamed: boolean
  status: 'running' | 'finished' | 'cancelled'
}

/** The form of ids, and the query parameter after which event a stream continues. */
const formats: { readonly [name in BackgroundDialect]: { readonly prefix: string; readonly after: string } } =
  {
    'openai-responses': { prefix: 'resp_background_', after: 'starting_after' },
    'gemini-interactions': { prefix: 'v1_background_', after: 'last_event_id' },
  }

const encoder = new TextEncoder()

/** The background runs of a mock provider. A run finishes after its state was requested once. */
export class MockBackgroundRuns {
  readonly #runs = new Map<string, MockRun>()

  /** Asks the model, stores the run, and returns the stream or the first state of the run. */
  async start(
    dialect: BackgroundDialect,
    request: ChatRequest,
    body: JsonObject,
    model: Model,
    signal: AbortSignal,
  ): Promise<AnswerBody> {
    const { stream = false, ...input } = request
    const codec = dialects[dialect]
    const { response } = await model.generate(input, { signal })
    const id = `${formats[dialect].prefix}${this.#runs.size + 1}`
    const named = { ...response, id, ...(request.model !== undefined && { model: request.model }) }
    const made = codec.encodeResponse(named, { request }).value as unknown as JsonObject
    let text = ''
    for await (const bytes of codec.encodeStream(splitDeltas(toEvents(named)), { request }))
      text += new TextDecoder().decode(bytes)
    const events = text
      .split(/(?<=\n\n)/)
      .filter((each) => each !== '')
      .map((each, index) => withEventId(each, dialect, index))
    const run: MockRun = {
      dialect,
      body: made,
      events,
      input: isList(body['input'])
        ? body['input']
        : [{ type: 'user_input', content: [{ type: 'text', text: body['input'] }] }],
      isStreamed: stream,
      status: 'running',
    }
    this.#runs.set(id, run)
    if (stream)
      return { contentType: 'text/event-stream', chunks: toChunks(events.map((event) => event.text)) }
    const started = JSON.stringify(toUnfinished(run, 'queued'))
    return { contentType: 'application/json', chunks: toChunks([started]) }
  }

  /** Responds to a request about a run. */
  respond({ dialect, id, isCancellation }: RunRequest, query: URLSearchParams): Response {
    return isCancellation ? this.#cancel(dialect, id) : this.#get(dialect, id, query)
  }

  /** Returns the state of a run, or its events. */
  #get(dialect: BackgroundDialect, id: string, query: URLSearchParams): Response {
    const run = this.#runs.get(id)
    if (run?.dialect !== dialect) return createNotFound(dialect, id)
    if (query.get('stream') === 'true') return this.#stream(run, query.get(formats[dialect].after))
    const wasRunning = run.status === 'running'
    if (wasRunning) run.status = 'finished'
    return Response.json(wasRunning ? toUnfinished(run, 'in_progress') : toStored(run))
  }

  /** Cancels a run; one that has finished stays so. */
  #cancel(dialect: BackgroundDialect, id: string): Response {
    const run = this.#runs.get(id)
    if (run?.dialect !== dialect) return createNotFound(dialect, id)
    if (run.status === 'running') run.status = 'cancelled'
    return Response.json(toStored(run))
  }

  #stream(run: MockRun, after: string | null): Response {
    const { dialect, events, isStreamed } = run
    const start = after === null ? 0 : events.findIndex(({ id }) => id === after) + 1
    const message =
      dialect === 'openai-responses' && !isStreamed
        ? 'This response cannot be streamed because it was not created with stream=true.'
        : after !== null && start === 0
          ? `Invalid event id: ${after}`
          : undefined
    if (message !== undefined)
      return toErrorResponse(dialect, createMockRefusal(dialect, 'invalid-request', 400, message))
    if (run.status === 'running') run.status = 'finished'
    const text = events.slice(start).map((event) => event.text)
    return new Response(encoder.encode(text.join('')), { headers: { 'content-type': 'text/event-stream' } })
  }
}

function createNotFound(dialect: BackgroundDialect, id: string): Response {
  const name = dialect === 'openai-responses' ? 'Response' : 'Interaction'
  return toErrorResponse(
    dialect,
    createMockRefusal(dialect, 'not-found', 404, `${name} with id '${id}' not found.`),
  )
}

/** Returns an event with its id; those of Responses are numbered already. */
function withEventId(
  text: string,
  dialect: BackgroundDialect,
  index: number,
): { readonly id: string; readonly text: string } {
  const data = /^data: (\{.*)$/m.exec(text)?.[1]
  const payload = data === undefined ? undefined : tryParseJson(data)
  if (data === undefined || !isObject(payload)) return { id: '', text }
  if (dialect === 'openai-responses') return { id: JSON.stringify(payload['sequence_number']), text }
  const id = `event_${index}`
  const numbered = JSON.stringify({ ...payload, event_id: id })
  return { id, text: text.replace(data, () => numbered) }
}

/** Returns the state of a run that has not finished: without output and usage. */
function toUnfinished({ dialect, body }: MockRun, status: string): JsonObject {
  if (dialect === 'openai-responses') return { ...body, status, output: [], usage: null }
  const { steps: _steps, usage: _usage, ...rest } = body
  return { ...rest, status: 'in_progress' }
}

/** Returns the stored response. That of an interaction also contains its input. */
function toStored(run: MockRun): JsonObject {
  if (run.status === 'cancelled') return { ...toUnfinished(run, 'cancelled'), status: 'cancelled' }
  if (run.dialect === 'openai-responses') return run.body
  const steps = isList(run.body['steps']) ? run.body['steps'] : []
  return { ...run.body, steps: [...run.input, ...steps] as never }
}
