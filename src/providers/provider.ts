import { withTypedErrors, withTypedMethods } from '../wire/typed-errors.ts'
import {
  type ContinuableDialect,
  createContinuationTracker,
  isContinuable,
} from '../client/response-continuation.ts'
import { createDialectModel, type DialectModelOptions } from '../client/dialect-model.ts'
import { createEmbeddingModel } from '../client/embedding-model.ts'
import type { CallOptions, EmbeddingModel, Model } from '../canonical/model/model-interface.ts'
import { createTransport, type Transport } from '../client/transport/transport.ts'
import { getStreamCodec } from '../dialects/engine/define-dialect.ts'
import type { Dialect, EncodeOptions } from '../dialects/engine/dialect.ts'
import { InterlinguaError } from '../errors.ts'
import { findModelFamily } from '../models/find-model-family.ts'
import { describeType, type JsonObject, omitUndefined } from '../wire/json.ts'
import { checkProviderOptions, type ProviderOptions } from './provider-options.ts'
import { hasOtherBaseUrl, resolveConnection } from './connection.ts'
import { embeddingFormats, tokenCountFormats } from './count-and-embedding-formats.ts'
import { listModels, type ModelInfo } from './list-models.ts'
import { addCatalogLimits, createCostCalculator } from './model-catalog.ts'
import type { ProviderRow } from './provider-row.ts'

/**
 * Creates the models of one provider.
 *
 * @example
 * const { text } = await openai('gpt-…').generate('Hi')
 */
export interface Provider {
  /** Creates a model by the provider's name for it. No key is read until the model is called. */
  (model: string, options?: ProviderOptions): Model
  /** Creates an embedding model. */
  embedding(model: string, options?: ProviderOptions): EmbeddingModel
  /** Requests the list of models from the provider. */
  listModels(options?: ProviderOptions & Pick<CallOptions, 'signal'>): Promise<readonly ModelInfo[]>
  /** Returns the same provider with default options. */
  with(options: ProviderOptions): Provider
}

/** The dialects of a provider's rows, by name: a bundle of one provider contains no other dialects. */
export interface ProviderDialects {
  readonly [name: string]: Dialect
}

/** Creates a provider from its row. */
export function createProvider(
  row: ProviderRow,
  dialects: ProviderDialects,
  defaults: ProviderOptions = {},
): Provider {
  const bindRow = (selected: ProviderRow): BoundRow => ({
    ...selected,
    dialect: getRowDialect(selected, dialects),
  })
  const mergeOptions = (options: ProviderOptions = {}): ProviderOptions => ({
    ...defaults,
    ...omitUndefined(checkProviderOptions(options)),
    headers: { ...defaults.headers, ...options.headers },
  })
  const provider = (name: string, options?: ProviderOptions): Model =>
    withTypedErrors(() => {
      checkModelName(name)
      return createModel(bindRow(row.selectRow?.(name) ?? row), name, mergeOptions(options))
    })
  const methods = {
    embedding: (name: string, options?: ProviderOptions) =>
      createProviderEmbeddingModel(bindRow(row), checkModelName(name), mergeOptions(options)),
    listModels: ({ signal, ...options }: Parameters<Provider['listModels']>[0] = {}) =>
      listProviderModels(bindRow(row), mergeOptions(options), signal),
    with: (options: ProviderOptions) => createProvider(row, dialects, mergeOptions(options)),
  }
  return Object.assign(provider, withTypedMethods(methods))
}

/** A row with its dialect instead of the name of the dialect. */
interface BoundRow extends Omit<ProviderRow, 'dialect'> {
  readonly dialect: Dialect
}

function getRowDialect({ provider, dialect: name }: ProviderRow, dialects: ProviderDialects): Dialect {
  const dialect = Object.hasOwn(dialects, name) ? dialects[name] : undefined
  if (dialect !== undefined) return dialect
  throw new InterlinguaError('unknown-id', `The dialect of the provider '${provider}' is unknown`, {
    found: `'${name}'`,
    expected: `one of ${Object.keys(dialects).join(', ')}`,
  })
}

/** Returns the name of a model; throws if it is missing. */
export function checkModelName(name: string): string {
  if (typeof name === 'string' && name !== '') return name
  throw new InterlinguaError('missing-field', 'The model name is missing', {
    path: '/model',
    found: describeType(name),
    expected: "the provider's name of a model",
    hint: 'Take a name from the documentation of the provider, or from `listModels()`.',
  })
}

function createModel(row: BoundRow, name: string, options: ProviderOptions): Model {
  const { dialect, defaultFields, defaultStreamFields } = row
  const flavor = row.isFlavorOfOwnHost && hasOtherBaseUrl(row, options) ? undefined : row.flavor
  const { apiVersion, onLoss, foreignReasoning, unsupported } = options
  // Agents choose by these facts how they ask for typed output; the dialect reads all others itself.
  const { supportsTools, supportsOutputWithTools } = findModelFamily(name) ?? {}
  const encoding = omitUndefined({ flavor, apiVersion, onLoss, foreignReasoning, unsupported })
  return createDialectModel({
    name,
    dialect,
    transport: createProviderTransport(row, options),
    capabilities: {
      ...omitUndefined({ supportsTools, supportsOutputWithTools }),
      ...row.capabilities,
      ...options.capabilities,
    },
    ...(row.countStyle && { tokenCountFormat: tokenCountFormats[row.countStyle] }),
    ...omitUndefined({
      defaultFields,
      defaultStreamFields,
      checkRequest: createRequestCheck(row, name, options),
    }),
    encoding,
    calculateCost: createCostCalculator(options.prices),
    ...omitUndefined({ promptCaching: options.promptCaching }),
    ...toStateOptions(row, name, options, encoding),
  })
}

/** Returns the check of requests to the provider's own host; what another host serves is unknown. */
function createRequestCheck(
  row: BoundRow,
  name: string,
  options: ProviderOptions,
): DialectModelOptions['checkRequest'] {
  const { checkRequest } = row
  if (checkRequest === undefined) return undefined
  return (request) => {
    if (!hasOtherBaseUrl(row, options)) checkRequest(name, request)
  }
}

/** The fields of a request whose response the provider does not store. */
const statelessFields: { readonly [name in ContinuableDialect['name']]: JsonObject } = {
  'openai-responses': { store: false, include: ['reasoning.encrypted_content'] },
  'gemini-interactions': { store: false },
}

/** Returns the model options for the state mode. */
function toStateOptions(
  { dialect, provider, stateLocation, requiresBackground }: BoundRow,
  model: string,
  { state = stateLocation }: ProviderOptions,
  encoding: EncodeOptions,
): Pick<DialectModelOptions, 'continuation' | 'defaultFields' | 'background'> {
  if (!isContinuable(dialect) || state === undefined) return {}
  if (state !== 'stored') return { defaultFields: statelessFields[dialect.name] }
  return {
    continuation: createContinuationTracker(dialect, provider, { ...encoding, model }),
    // A host of another vendor may store responses, but not run them in the background.
    ...(stateLocation === 'stored' && {
      background: requiresBackground?.(model) === true ? 'required' : 'optional',
    }),
  }
}

function createProviderTransport(row: BoundRow, options: ProviderOptions): Transport {
  const host = {
    provider: row.provider,
    connect: () => resolveConnection(row, options),
    decodeError: row.dialect.decodeError,
    readErrorInBody: getStreamCodec(row.dialect).errors.decodeErrorEvent,
  }
  return createTransport(host, options)
}

function createProviderEmbeddingModel(row: BoundRow, name: string, options: ProviderOptions): EmbeddingModel {
  if (row.embedding === undefined) throw unsupportedServiceError(row, 'embeddings')
  const { style, ...batchLimits } = row.embedding
  return createEmbeddingModel({
    ...batchLimits,
    name,
    calculateCost: createCostCalculator(options.prices),
    transport: createProviderTransport(row, options),
    format: embeddingFormats[style],
  })
}

async function listProviderModels(
  row: BoundRow,
  options: ProviderOptions,
  signal: AbortSignal | undefined,
): Promise<readonly ModelInfo[]> {
  if (row.listStyle === undefined) throw unsupportedServiceError(row, 'a list of models')
  const { apiVersion } = options
  const anyRequest = { model: '-', messages: [] }
  // Headers of every request of the dialect, such as the API version.
  const { headers } = row.dialect.endpoint(anyRequest, omitUndefined({ apiVersion }))
  const models = await listModels(row.listStyle, createProviderTransport(row, options), headers, signal)
  return addCatalogLimits(row.provider, models)
}

function unsupportedServiceError({ provider }: BoundRow, service: string): InterlinguaError {
  return new InterlinguaError('unsupported', `The provider '${provider}' has no API for ${service}`, {
    hint: `Use another provider for ${service}.`,
  })
}
