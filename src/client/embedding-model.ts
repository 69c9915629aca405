import type { Usage } from '../canonical/model/usage.ts'
import { ProviderError } from '../errors.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import { throwIfAborted } from '../wire/cancellation.ts'
import { checkTexts } from './check-input.ts'
import type { CostCalculator } from './dialect-model.ts'
import type { EmbeddingModel, EmbeddingOptions, EmbeddingReply } from '../canonical/model/model-interface.ts'
import type { Transport } from './transport/transport.ts'

/** How a host is asked for vectors. */
export interface EmbeddingFormat {
  buildPath(model: string): string
  buildBody(model: string, texts: readonly string[], options: EmbeddingOptions): JsonObject
  /** The vectors in the order of the texts, as far as the answer is what it should be. */
  readVectors(answer: Json): readonly unknown[]
  /** How many tokens the texts were, where the host tells. */
  readTokenCount(answer: Json): number | undefined
}

/** How much fits into one request. */
export interface EmbeddingBatchLimits {
  /** Texts at most. */
  readonly maxTexts: number
  /** Tokens of all texts together at most. */
  readonly maxTokens?: number
}

export interface EmbeddingModelOptions extends EmbeddingBatchLimits {
  readonly name: string
  readonly transport: Transport
  readonly format: EmbeddingFormat
  readonly calculateCost?: CostCalculator
}

/** A model that makes vectors: as many requests as it takes, one after the other, the order kept. */
export function createEmbeddingModel(options: EmbeddingModelOptions): EmbeddingModel {
  const { name, transport, format, calculateCost } = options
  const { provider } = transport

  async function askFor(
    texts: readonly string[],
    asked: EmbeddingOptions,
  ): Promise<{ readonly vectors: readonly (readonly number[])[]; readonly tokens: number | undefined }> {
    const body = JSON.stringify(format.buildBody(name, texts, asked))
    const { value } = await transport.send(
      { method: 'POST', path: format.buildPath(name), body },
      async (answer) => {
        const json = await answer.readJson()
        return {
          vectors: checkVectors(format.readVectors(json), texts.length),
          tokens: format.readTokenCount(json),
        }
      },
      asked.signal,
    )
    return value
  }

  async function embed(texts: readonly string[], asked: EmbeddingOptions = {}): Promise<EmbeddingReply> {
    const vectors: (readonly number[])[] = []
    let tokens: number | undefined
    throwIfAborted(asked.signal)
    checkTexts(texts)
    while (vectors.length < texts.length) {
      const answer = await askFor(takeBatch(texts, vectors.length, options), asked)
      for (const vector of answer.vectors) vectors.push(vector)
      if (answer.tokens !== undefined) tokens = (tokens ?? 0) + answer.tokens
      asked.onProgress?.(vectors.length, texts.length)
    }
    const usage = tokens === undefined ? undefined : toUsage(tokens)
    const cost = usage && calculateCost?.(usage, { provider, model: name })
    return { vectors, ...(usage !== undefined && { usage }), ...(cost !== undefined && { cost }) }
  }

  return { name, provider, embed }
}

/** Tokens that stand around a text. */
const TOKENS_AROUND_TEXT = 2

const encoder = new TextEncoder()

/**
 * The texts of the next request: as many as fit, and at least one. Nobody knows here how a model cuts a text into tokens,
 * but no tokenizer makes more of them than a text has bytes.
 */
function takeBatch(
  texts: readonly string[],
  start: number,
  { maxTexts, maxTokens = Infinity }: EmbeddingBatchLimits,
): readonly string[] {
  let end = start
  let left = maxTokens
  for (; end < texts.length && end - start < maxTexts; end++) {
    if (left < Infinity) left -= encoder.encode(texts[end]).length + TOKENS_AROUND_TEXT
    if (left < 0 && end > start) break
  }
  return texts.slice(start, end)
}

function toUsage(tokens: number): Usage {
  return { inputTokens: tokens, outputTokens: 0, totalTokens: tokens }
}

/** A vector for each text, or an error: a gap would give every text behind it another's. */
function checkVectors(vectors: readonly unknown[], count: number): readonly (readonly number[])[] {
  if (vectors.length !== count) throw invalidVectorsError(`${vectors.length} vectors for ${count} texts`)
  return vectors.map((vector) => {
    if (!isVector(vector)) throw invalidVectorsError('something that is not a list of numbers')
    return vector
  })
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => Number.isFinite(each))
}

function invalidVectorsError(found: string): ProviderError {
  return new ProviderError(`The provider gave ${found}`, { kind: 'server', shouldRetry: false })
}
