import type { Usage } from '../canonical/model/usage.ts'
import { ProviderError } from '../errors.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import { throwIfAborted } from '../wire/abort.ts'
import { checkedTexts } from './checked.ts'
import type { CostOf } from './dialect-model.ts'
import type { EmbeddingModel, EmbedOptions, EmbedReply } from './model.ts'
import type { Transport } from './transport/transport.ts'

/** How a host is asked for vectors. */
export interface EmbedFormat {
  path(model: string): string
  body(model: string, texts: readonly string[], options: EmbedOptions): JsonObject
  /** The vectors in the order of the texts, as far as the answer is what it should be. */
  vectors(answer: Json): readonly unknown[]
  /** How many tokens the texts were, where the host tells. */
  tokens(answer: Json): number | undefined
}

/** How much fits into one request. */
export interface EmbedBatches {
  /** Texts at most. */
  readonly batch: number
  /** Tokens of all texts together at most. */
  readonly tokens?: number
}

export interface EmbeddingModelOptions extends EmbedBatches {
  readonly name: string
  readonly transport: Transport
  readonly format: EmbedFormat
  readonly costOf?: CostOf
}

/** A model that makes vectors: as many requests as it takes, one after the other, the order kept. */
export function embeddingModel(options: EmbeddingModelOptions): EmbeddingModel {
  const { name, transport, format, costOf } = options
  const { provider } = transport

  async function askFor(
    texts: readonly string[],
    asked: EmbedOptions,
  ): Promise<{ readonly vectors: readonly (readonly number[])[]; readonly tokens: number | undefined }> {
    const body = JSON.stringify(format.body(name, texts, asked))
    const { value } = await transport.send(
      { method: 'POST', path: format.path(name), body },
      async (answer) => {
        const json = await answer.json()
        return { vectors: checked(format.vectors(json), texts.length), tokens: format.tokens(json) }
      },
      asked.signal,
    )
    return value
  }

  async function embed(texts: readonly string[], asked: EmbedOptions = {}): Promise<EmbedReply> {
    const vectors: (readonly number[])[] = []
    let tokens: number | undefined
    throwIfAborted(asked.signal)
    checkedTexts(texts)
    while (vectors.length < texts.length) {
      const answer = await askFor(nextBatch(texts, vectors.length, options), asked)
      for (const vector of answer.vectors) vectors.push(vector)
      if (answer.tokens !== undefined) tokens = (tokens ?? 0) + answer.tokens
      asked.onProgress?.(vectors.length, texts.length)
    }
    const usage = tokens === undefined ? undefined : usageOf(tokens)
    const cost = usage && costOf?.(usage, { provider, model: name })
    return { vectors, ...(usage !== undefined && { usage }), ...(cost !== undefined && { cost }) }
  }

  return { name, provider, embed }
}

/** Tokens that stand around a text. */
const AROUND = 2

const encoder = new TextEncoder()

/**
 * The texts of the next request: as many as fit, and at least one. Nobody knows here how a model cuts a text into tokens,
 * but no tokenizer makes more of them than a text has bytes.
 */
function nextBatch(
  texts: readonly string[],
  start: number,
  { batch, tokens = Infinity }: EmbedBatches,
): readonly string[] {
  let end = start
  let left = tokens
  for (; end < texts.length && end - start < batch; end++) {
    if (left < Infinity) left -= encoder.encode(texts[end]).length + AROUND
    if (left < 0 && end > start) break
  }
  return texts.slice(start, end)
}

function usageOf(tokens: number): Usage {
  return { inputTokens: tokens, outputTokens: 0, totalTokens: tokens }
}

/** A vector for each text, or an error: a gap would give every text behind it another's. */
function checked(vectors: readonly unknown[], count: number): readonly (readonly number[])[] {
  if (vectors.length !== count) throw unfit(`${vectors.length} vectors for ${count} texts`)
  return vectors.map((vector) => {
    if (!isVector(vector)) throw unfit('something that is not a list of numbers')
    return vector
  })
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => Number.isFinite(each))
}

function unfit(found: string): ProviderError {
  return new ProviderError(`The provider gave ${found}`, { kind: 'server', shouldRetry: false })
}
