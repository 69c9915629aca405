import { trackStoredResponses } from '../client/response-continuation.ts'
import { type CostCalculator, createDialectModel, type DialectModelOptions } from '../client/dialect-model.ts'
import { createEmbeddingModel } from '../client/embedding-model.ts'
import type { CallOptions, EmbeddingModel, Model } from '../canonical/model/model-interface.ts'
import type { ModelCapabilities } from '../canonical/model/capabilities.ts'
import { calculateCost, type PriceTable } from '../client/prices.ts'
import type { TransportOptions } from '../client/transport/settings.ts'
import { createTransport, type Transport } from '../client/transport/transport.ts'
import type { EncodeOptions } from '../dialects/engine/dialect.ts'
import { dialectCodecs, dialects } from '../dialects/dialects.ts'
import { InterlinguaError } from '../errors.ts'
import { describeType, omitUndefined } from '../wire/json.ts'
import { resolveConnection, type ConnectionOptions } from './connection.ts'
import { tokenCountFormats } from './token-count-formats.ts'
import { embeddingFormats } from './embedding-formats.ts'
import { listModels, type ModelInfo } from './list-models.ts'
import type { ProviderRow, StateMode } from './provider-row.ts'

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
  readonly state?: StateMode
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
export function createProvider(row: ProviderRow, defaults: ProviderOptions = {}): Provider {
  const joined = (options: ProviderOptions = {}): ProviderOptions => ({
    ...defaults,
    ...omitUndefined(options),
    headers: { ...defaults.headers, ...options.headers },
  })
  const provider = (name: string, options?: ProviderOptions): Model =>
    createModel(row, checkModelName(name), joined(options))
  return Object.assign(provider, {
    embedding: (name: string, options?: ProviderOptions) =>
      createProviderEmbeddingModel(row, checkModelName(name), joined(options)),
    listModels: ({ signal, ...options }: Parameters<Provider['listModels']>[0] = {}) =>
      listProviderModels(row, joined(options), signal),
    with: (options: ProviderOptions) => createProvider(row, joined(options)),
  })
}

function checkModelName(name: string): string {
  if (typeof name === 'string' && name !== '') return name
  throw new InterlinguaError('missing-field', 'A model has a name', {
    path: '/model',
    found: describeType(name),
    expected: "the provider's own name for it",
    hint: 'See the documentation of the provider, or `listModels()`.',
  })
}

function createModel(row: ProviderRow, name: string, options: ProviderOptions): Model {
  const { apiVersion, onLoss, foreignReasoning, unsupported } = options
  const encoding: EncodeOptions = {
    ...(row.flavor && { flavor: row.flavor }),
    ...(apiVersion !== undefined && { apiVersion }),
    ...(onLoss !== undefined && { onLoss }),
    ...(foreignReasoning !== undefined && { foreignReasoning }),
    ...(unsupported !== undefined && { unsupported }),
  }
  return createDialectModel({
    name,
    dialect: row.dialect,
    transport: createProviderTransport(row, options),
    capabilities: {
      ...row.capabilities,
      ...row.families?.find(([names]) => names.test(name))?.[1],
      ...options.capabilities,
    },
    ...(row.countStyle && { tokenCountFormat: tokenCountFormats[row.countStyle] }),
    ...(row.defaultStreamFields && { defaultStreamFields: row.defaultStreamFields }),
    encoding,
    calculateCost: createCostCalculator(options),
    ...toStateOptions(row, options, { ...encoding, model: name }),
  })
}

/** What the way in which a conversation goes on adds to a model. */
function toStateOptions(
  row: ProviderRow,
  { state = row.stateMode }: ProviderOptions,
  encoding: EncodeOptions,
): Pick<DialectModelOptions, 'continuation' | 'defaultFields'> {
  if (row.dialect !== 'openai-responses' || state === undefined) return {}
  return state === 'stored'
    ? { continuation: trackStoredResponses(encoding) }
    : { defaultFields: { store: false, include: ['reasoning.encrypted_content'] } }
}

function createCostCalculator({ prices }: ProviderOptions): CostCalculator {
  return (usage, made) => calculateCost(usage, made, prices)
}

function createProviderTransport(row: ProviderRow, options: ProviderOptions): Transport {
  const { decodeError } = dialects[row.dialect]
  const errorIn = dialectCodecs[row.dialect].stream.decodeErrorEvent
  return createTransport(
    {
      provider: row.provider,
      connect: () => resolveConnection(row, options),
      decodeError,
      readErrorInBody: errorIn,
    },
    options,
  )
}

function createProviderEmbeddingModel(
  row: ProviderRow,
  name: string,
  options: ProviderOptions,
): EmbeddingModel {
  if (row.embedding === undefined) throw unsupportedServiceError(row, 'embeddings')
  const { style, ...batches } = row.embedding
  return createEmbeddingModel({
    ...batches,
    name,
    calculateCost: createCostCalculator(options),
    transport: createProviderTransport(row, options),
    format: embeddingFormats[style],
  })
}

async function listProviderModels(
  row: ProviderRow,
  options: ProviderOptions,
  signal: AbortSignal | undefined,
): Promise<readonly ModelInfo[]> {
  if (row.listStyle === undefined) throw unsupportedServiceError(row, 'a list of models')
  const { apiVersion } = options
  // What goes along with every request, such as the version of the API.
  const { headers } = dialects[row.dialect].endpoint(
    { model: '-', messages: [] },
    apiVersion === undefined ? {} : { apiVersion },
  )
  return listModels(row.listStyle, createProviderTransport(row, options), headers, signal)
}

function unsupportedServiceError({ provider }: ProviderRow, what: string): InterlinguaError {
  return new InterlinguaError('unsupported', `The provider '${provider}' has no API for ${what}`, {
    hint: 'Use another provider for it.',
  })
}
