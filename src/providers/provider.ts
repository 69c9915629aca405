import { storedResponses } from '../client/continuation.ts'
import { type CostOf, dialectModel, type DialectModelOptions } from '../client/dialect-model.ts'
import { embeddingModel } from '../client/embedding-model.ts'
import type { CallOptions, EmbeddingModel, Model, ModelCapabilities } from '../client/model.ts'
import { costOf, type PriceTable } from '../client/prices.ts'
import type { TransportOptions } from '../client/transport/settings.ts'
import { createTransport, type Transport } from '../client/transport/transport.ts'
import type { EncodeOptions } from '../dialects/dialect.ts'
import { codecs, dialects } from '../dialects/translate.ts'
import { InterlinguaError } from '../errors.ts'
import { describe, stated } from '../wire/json.ts'
import { connect, type ConnectionOptions } from './connection.ts'
import { countings } from './counting.ts'
import { embedFormats } from './embedding.ts'
import { listModels, type ModelInfo } from './listing.ts'
import type { ProviderRow, StateStyle } from './row.ts'

/** What may be said when a model is made. */
export interface ProviderOptions
  extends
    ConnectionOptions,
    TransportOptions,
    Pick<EncodeOptions, 'apiVersion' | 'onLoss' | 'foreignReasoning' | 'unsupported'> {
  /** Facts about the model, where they are other than what is known. */
  readonly capabilities?: ModelCapabilities
  /** The prices that tell what a call cost; default: those that come along. */
  readonly prices?: PriceTable
  /**
   * For the Responses API. `stored`: the provider keeps the conversation, and only what is new is sent; `encrypted`: it keeps
   * nothing (`store: false`), and gives its reasoning out encrypted, to be sent along. Default: `stored` with OpenAI, and
   * neither with others.
   */
  readonly state?: StateStyle
}

/** Makes the models of one provider. */
export interface Provider {
  /** A model, by the provider's own name for it. Nothing is sent, and no key is read, before it is asked. */
  (model: string, options?: ProviderOptions): Model
  /** A model that turns texts into vectors. */
  embedding(model: string, options?: ProviderOptions): EmbeddingModel
  /** The models that the provider has. */
  listModels(options?: ProviderOptions & Pick<CallOptions, 'signal'>): Promise<readonly ModelInfo[]>
  /** The same provider with options for all that it makes. */
  with(options: ProviderOptions): Provider
}

/**
 * A provider from its row.
 *
 * @example
 * const groq = providerOf(rows.groq)
 * const model = groq('llama-…', { apiKey })
 */
export function providerOf(row: ProviderRow, defaults: ProviderOptions = {}): Provider {
  const joined = (options: ProviderOptions = {}): ProviderOptions => ({
    ...defaults,
    ...stated(options),
    headers: { ...defaults.headers, ...options.headers },
  })
  const provider = (name: string, options?: ProviderOptions): Model =>
    modelOf(row, named(name), joined(options))
  return Object.assign(provider, {
    embedding: (name: string, options?: ProviderOptions) => embeddingOf(row, named(name), joined(options)),
    listModels: ({ signal, ...options }: Parameters<Provider['listModels']>[0] = {}) =>
      modelsOf(row, joined(options), signal),
    with: (options: ProviderOptions) => providerOf(row, joined(options)),
  })
}

function named(name: string): string {
  if (typeof name === 'string' && name !== '') return name
  throw new InterlinguaError('missing-field', 'A model has a name', {
    path: '/model',
    found: describe(name),
    expected: "the provider's own name for it",
    hint: 'See the documentation of the provider, or `listModels()`.',
  })
}

function modelOf(row: ProviderRow, name: string, options: ProviderOptions): Model {
  const { apiVersion, onLoss, foreignReasoning, unsupported } = options
  const encoding: EncodeOptions = {
    ...(row.flavor && { flavor: row.flavor }),
    ...(apiVersion !== undefined && { apiVersion }),
    ...(onLoss !== undefined && { onLoss }),
    ...(foreignReasoning !== undefined && { foreignReasoning }),
    ...(unsupported !== undefined && { unsupported }),
  }
  return dialectModel({
    name,
    dialect: row.dialect,
    transport: transportOf(row, options),
    capabilities: {
      ...row.capabilities,
      ...row.families?.find(([names]) => names.test(name))?.[1],
      ...options.capabilities,
    },
    ...(row.count && { counting: countings[row.count] }),
    ...(row.streamFields && { streamFields: row.streamFields }),
    encoding,
    costOf: costWith(options),
    ...stateOf(row, options, { ...encoding, model: name }),
  })
}

/** What the way in which a conversation goes on adds to a model. */
function stateOf(
  row: ProviderRow,
  { state = row.state }: ProviderOptions,
  encoding: EncodeOptions,
): Pick<DialectModelOptions, 'continuation' | 'fields'> {
  if (row.dialect !== 'openai-responses' || state === undefined) return {}
  return state === 'stored'
    ? { continuation: storedResponses(encoding) }
    : { fields: { store: false, include: ['reasoning.encrypted_content'] } }
}

function costWith({ prices }: ProviderOptions): CostOf {
  return (usage, made) => costOf(usage, made, prices)
}

function transportOf(row: ProviderRow, options: ProviderOptions): Transport {
  const { decodeError } = dialects[row.dialect]
  const errorIn = codecs[row.dialect].stream.readError
  return createTransport(
    { provider: row.provider, connect: () => connect(row, options), decodeError, errorIn },
    options,
  )
}

function embeddingOf(row: ProviderRow, name: string, options: ProviderOptions): EmbeddingModel {
  if (row.embed === undefined) throw unsupported(row, 'embeddings')
  const { style, ...batches } = row.embed
  return embeddingModel({
    ...batches,
    name,
    costOf: costWith(options),
    transport: transportOf(row, options),
    format: embedFormats[style],
  })
}

async function modelsOf(
  row: ProviderRow,
  options: ProviderOptions,
  signal: AbortSignal | undefined,
): Promise<readonly ModelInfo[]> {
  if (row.list === undefined) throw unsupported(row, 'a list of models')
  const { apiVersion } = options
  // What goes along with every request, such as the version of the API.
  const { headers } = dialects[row.dialect].endpoint(
    { model: '-', messages: [] },
    apiVersion === undefined ? {} : { apiVersion },
  )
  return listModels(row.list, transportOf(row, options), headers, signal)
}

function unsupported({ provider }: ProviderRow, what: string): InterlinguaError {
  return new InterlinguaError('unsupported', `The provider '${provider}' has no API for ${what}`, {
    hint: 'Use another provider for it.',
  })
}
