import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Model } from '../../canonical/model/model-interface.ts'
import type { DialectName, Flavor } from '../../dialects/engine/dialect.ts'
import { dialects } from '../../dialects/dialects.ts'
import { STREAM_TYPES, toJsonArray } from '../../dialects/server/stream-body.ts'
import { splitDeltas } from '../../client/split-deltas.ts'
import { toEvents } from '../../canonical/stream/to-events.ts'

/** An answer as a provider sent it, to be sent again unchanged. */
export interface RecordedAnswer {
  readonly dialect: DialectName
  /** The body: JSON text, or the text of a stream. */
  readonly body: string
  /** Default: 200. */
  readonly status?: number
  /** Default: that of the dialect. */
  readonly contentType?: string
}

const encoder = new TextEncoder()

/** The body of an answer in chunks, and its content type. */
export interface AnswerBody {
  readonly contentType: string
  readonly chunks: AsyncIterable<Uint8Array>
}

/** Asks the model, and encodes its answer as the provider of a dialect does. */
export async function createAnswer(
  dialect: DialectName,
  request: ChatRequest,
  model: Model,
  isArray: boolean,
  signal: AbortSignal,
  flavor: Flavor | undefined,
): Promise<AnswerBody> {
  const { stream = false, ...input } = request
  const options = { request, ...(flavor && { flavor }) }
  const codec = dialects[dialect]
  const { response } = await model.generate(input, { signal })
  const named = { ...response, ...(request.model !== undefined && { model: request.model }) }
  if (!stream) {
    const { value } = codec.encodeResponse(named, options)
    return { contentType: 'application/json', chunks: toChunks([JSON.stringify(value)]) }
  }
  // The answer is complete before it is sent, so that an error of the model has its own status.
  const bytes = codec.encodeStream(splitDeltas(toEvents(named)), options)
  return isArray
    ? { contentType: 'application/json', chunks: toChunks(toJsonArray(bytes)) }
    : { contentType: STREAM_TYPES[dialect], chunks: bytes }
}

/** Returns a recorded answer in chunks: one per event of a stream. */
export function replayAnswer({ dialect, body, contentType }: RecordedAnswer): AnswerBody {
  const isStream = !/^\s*[{[]/.test(body) || (dialect === 'ollama' && body.trim().includes('\n'))
  return {
    contentType: contentType ?? (isStream ? STREAM_TYPES[dialect] : 'application/json'),
    chunks: toChunks(isStream ? splitEvents(body, dialect) : [body]),
  }
}

function splitEvents(text: string, dialect: DialectName): readonly string[] {
  return text.split(dialect === 'ollama' ? /(?<=\n)/ : /(?<=\r?\n\r?\n)/).filter((piece) => piece !== '')
}

/** Yields the bytes of each text. */
export async function* toChunks(
  texts: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const text of texts) yield encoder.encode(text)
}
