import { dialectModel } from '../client/dialect-model.ts'
import type { Model, ModelCapabilities } from '../client/model.ts'
import type { TransportOptions } from '../client/settings.ts'
import { createTransport, type Transport } from '../client/transport.ts'
import type { EncodeOptions } from '../dialects/dialect.ts'
import { dialects } from '../dialects/translate.ts'
import { connect, type ConnectionOptions } from './connection.ts'
import type { ProviderRow } from './row.ts'

/** What may be said when a model is made. */
export interface ProviderOptions
  extends
    ConnectionOptions,
    TransportOptions,
    Pick<EncodeOptions, 'apiVersion' | 'onLoss' | 'foreignReasoning' | 'unsupported'> {
  /** Facts about the model, where they are other than what is known. */
  readonly capabilities?: ModelCapabilities
}

/** Makes the models of one provider. */
export interface Provider<Options extends ProviderOptions = ProviderOptions> {
  /** A model, by the provider's own name for it. Nothing is sent, and no key is read, before it is asked. */
  (model: string, options?: Options): Model
  /** The same provider with options for all that it makes. */
  with(options: Options): Provider<Options>
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
    ...options,
    headers: { ...defaults.headers, ...options.headers },
  })
  const provider = (name: string, options?: ProviderOptions): Model => modelOf(row, name, joined(options))
  return Object.assign(provider, {
    with: (options: ProviderOptions) => providerOf(row, joined(options)),
  })
}

function modelOf(row: ProviderRow, name: string, options: ProviderOptions): Model {
  const { apiVersion, onLoss, foreignReasoning, unsupported } = options
  return dialectModel({
    name,
    dialect: row.dialect,
    transport: transportOf(row, options),
    capabilities: { ...row.capabilities, ...options.capabilities },
    ...(row.streamFields && { streamFields: row.streamFields }),
    encoding: {
      ...(row.flavor && { flavor: row.flavor }),
      ...(apiVersion !== undefined && { apiVersion }),
      ...(onLoss !== undefined && { onLoss }),
      ...(foreignReasoning !== undefined && { foreignReasoning }),
      ...(unsupported !== undefined && { unsupported }),
    },
  })
}

function transportOf(row: ProviderRow, options: ProviderOptions): Transport {
  const { decodeError } = dialects[row.dialect]
  return createTransport(
    { provider: row.provider, connect: () => connect(row, options), decodeError },
    options,
  )
}
