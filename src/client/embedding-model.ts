import { invalidResponseError } from './transport/transport-errors.ts'
import { omitUndefined, type Json, type JsonObject } from '../wire/json.ts'
import { throwIfAborted } from '../wire/cancellation.ts'
import { checkEmbeddingInput } from './check-call-input.ts'
import type { CostCalculator } from './dialect-calls.ts'
import type { EmbeddingModel, EmbeddingOptions, EmbeddingReply } from '../canonical/model/model-interface.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { mapConcurrently } from '../wire/concurrency.ts'
import type { Transport } from './transport/transport.ts'

/** The wire format of a host's embedding endpoint. */
export interface EmbeddingFormat {
  buildPath(model: string): string
  buildBody(model: string, texts: readonly string[], options: EmbeddingOptions): JsonObject
  /** Returns the vectors in the order of the texts, unvalidated. */
  readVectors(body: Json): readonly unknown[]
  /** Returns the number of tokens of the texts, if the host reports it. */
  readTokenCount(body: Json): number | undefined
}

/** The limits of one embedding request. */
export interface EmbeddingBatchLimits {
  /** The maximum number of texts. */
  readonly maxTexts: number
  /** The maximum number of tokens of all texts together. */
  readonly maxTokens?: number
}

export interface EmbeddingModelOptions extends EmbeddingBatchLimits {
  readonly name: string
  readonly transport: Transport
  readonly format: EmbeddingFormat
  readonly calculateCost?: CostCalculator
}

/** The vectors of one request, and the number of its tokens. */
interface EmbeddedBatch {
  readonly vectors: readonly (readonly number[])[]
  readonly tokens: number | undefined
}

/**
 * The number of requests at the same time. Hosts limit requests and tokens per minute, and a local host
 * embeds one batch at a time.
 */
const DEFAULT_CONCURRENCY = 4

/** Creates an embedding model. Texts are sent in as many requests as necessary, some of them in parallel. */
export function createEmbeddingModel(options: EmbeddingModelOptions): EmbeddingModel {
  const { name, transport, format, calculateCost } = options
  const { provider } = transport

  async function embedBatch(texts: readonly string[], call: EmbeddingOptions): Promise<EmbeddedBatch> {
    const body = JSON.stringify(format.buildBody(name, texts, call))
    const { value } = await transport.send(
      { method: 'POST', path: format.buildPath(name), body, model: name },
      async (response) => {
        const json = await response.readJson()
        const vectors = checkVectors(format.readVectors(json), texts.length, (problem) =>
          invalidResponseError(problem, json, response.errorContext),
        )
        return { vectors, tokens: format.readTokenCount(json) }
      },
      call,
    )
    return value
  }

  async function embed(texts: readonly string[], call: EmbeddingOptions = {}): Promise<EmbeddingReply> {
    const { concurrency = DEFAULT_CONCURRENCY, signal, onProgress } = call
    throwIfAborted(signal)
    checkEmbeddingInput(texts, call)
    let done = 0
    const batches = await mapConcurrently(
      splitIntoBatches(texts, options),
      { concurrency, signal },
      async (batch, batchSignal) => {
        const embedded = await embedBatch(batch, { ...call, signal: batchSignal })
        done += batch.length
        onProgress?.(done, texts.length)
        return embedded
      },
    )
    const usage = sumTokens(batches)
    const cost = usage && (await calculateCost?.(usage, { provider, model: name }))
    return { vectors: batches.flatMap(({ vectors }) => vectors), ...omitUndefined({ usage, cost }) }
  }

  return { name, provider, embed }
}

/** Returns the usage of all requests; undefined if the host reported none. */
function sumTokens(batches: readonly EmbeddedBatch[]): Usage | undefined {
  const reported = batches.flatMap(({ tokens }) => (tokens === undefined ? [] : [tokens]))
  if (reported.length === 0) return undefined
  const tokens = reported.reduce((sum, count) => sum + count)
  return { inputTokens: tokens, outputTokens: 0, totalTokens: tokens }
}

/** Special tokens that a tokenizer may add to each text. */
const TOKENS_AROUND_TEXT = 2

const encoder = new TextEncoder()

/** Splits texts into batches that a request may contain. No tokenizer produces more tokens than a text has bytes. */
function splitIntoBatches(
  texts: readonly string[],
  { maxTexts, maxTokens = Infinity }: EmbeddingBatchLimits,
): readonly (readonly string[])[] {
  const batches: string[][] = []
  let batch: string[] | undefined
  let remaining = 0
  for (const text of texts) {
    const size = maxTokens === Infinity ? 0 : encoder.encode(text).length + TOKENS_AROUND_TEXT
    // A text that exceeds the limit is sent alone.
    if (batch === undefined || batch.length === maxTexts || size > remaining) {
      batch = []
      batches.push(batch)
      remaining = maxTokens
    }
    batch.push(text)
    remaining -= size
  }
  return batches
}

/** Checks that there is one vector per text: a gap would assign every later vector to the wrong text. */
function checkVectors(
  vectors: readonly unknown[],
  count: number,
  createError: (problem: string) => Error,
): readonly (readonly number[])[] {
  if (vectors.length !== count)
    throw createError(`The provider returned ${vectors.length} vectors for ${count} texts`)
  return vectors.map((vector) => {
    if (!isVector(vector)) throw createError('The provider returned a vector that is not a list of numbers')
    return vector
  })
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => Number.isFinite(each))
}
