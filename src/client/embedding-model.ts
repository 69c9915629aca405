import { invalidResponseError } from './transport/transport-errors.ts'
import { omitUndefined, type Json, type JsonObject } from '../wire/json.ts'
import { throwIfAborted } from '../wire/cancellation.ts'
import { checkEmbeddingInput } from './check-input.ts'
import type { CostCalculator } from './dialect-model.ts'
import type { EmbeddingModel, EmbeddingOptions, EmbeddingReply } from '../canonical/model/model-interface.ts'
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

/** Creates an embedding model. Texts are sent in as many requests as necessary, in order. */
export function createEmbeddingModel(options: EmbeddingModelOptions): EmbeddingModel {
  const { name, transport, format, calculateCost } = options
  const { provider } = transport

  async function embedBatch(
    texts: readonly string[],
    call: EmbeddingOptions,
  ): Promise<{ readonly vectors: readonly (readonly number[])[]; readonly tokens: number | undefined }> {
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
    const vectors: (readonly number[])[] = []
    let tokens: number | undefined
    throwIfAborted(call.signal)
    checkEmbeddingInput(texts, call)
    while (vectors.length < texts.length) {
      const batch = await embedBatch(takeBatch(texts, vectors.length, options), call)
      for (const vector of batch.vectors) vectors.push(vector)
      if (batch.tokens !== undefined) tokens = (tokens ?? 0) + batch.tokens
      call.onProgress?.(vectors.length, texts.length)
    }
    const usage =
      tokens === undefined ? undefined : { inputTokens: tokens, outputTokens: 0, totalTokens: tokens }
    const cost = usage && calculateCost?.(usage, { provider, model: name })
    return { vectors, ...omitUndefined({ usage, cost }) }
  }

  return { name, provider, embed }
}

/** Special tokens that a tokenizer may add to each text. */
const TOKENS_AROUND_TEXT = 2

const encoder = new TextEncoder()

/** Returns as many texts as fit, at least one. No tokenizer produces more tokens than a text has bytes. */
function takeBatch(
  texts: readonly string[],
  start: number,
  { maxTexts, maxTokens = Infinity }: EmbeddingBatchLimits,
): readonly string[] {
  let end = start
  let remaining = maxTokens
  for (; end < texts.length && end - start < maxTexts; end++) {
    if (remaining < Infinity) remaining -= encoder.encode(texts[end]).length + TOKENS_AROUND_TEXT
    if (remaining < 0 && end > start) break
  }
  return texts.slice(start, end)
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
