import { ON_LOSS_CHOICES } from '../canonical/losses/create-loss.ts'
import { CAPABILITY_NAMES, type ModelCapabilities } from '../canonical/model/capabilities.ts'
import type { PriceTable } from '../client/prices.ts'
import { TRANSPORT_OPTION_NAMES, type TransportOptions } from '../client/transport/settings.ts'
import type { EncodeOptions } from '../dialects/engine/dialect.ts'
import { FOREIGN_REASONING_ACTIONS, POLICY_NAMES } from '../dialects/engine/unsupported-policy.ts'
import { InterlinguaError } from '../errors.ts'
import { checkOptions, type OptionHints, type OptionNames } from '../wire/check-options.ts'
import { describeType, isObject } from '../wire/json.ts'
import { AUTH_STYLES, type ConnectionOptions } from './connection.ts'
import type { StateLocation } from './provider-row.ts'

/** Options of the models of a provider. */
export interface ProviderOptions
  extends
    ConnectionOptions,
    TransportOptions,
    Pick<EncodeOptions, 'apiVersion' | 'onLoss' | 'foreignReasoning' | 'unsupported'> {
  /** Overrides the known capabilities of the model. */
  readonly capabilities?: ModelCapabilities
  /** Your own prices for the cost of replies; other models have the prices of `loadPrices()`. */
  readonly prices?: PriceTable
  /**
   * For Claude, whose prompt cache contains only what is marked. `true`: tools, instructions and the last two turns of
   * every request are marked; `false`: none are. Cache hints in a request have precedence. Default: the requests of
   * agents are marked.
   */
  readonly promptCaching?: boolean
  /**
   * For the Responses API and Google's Interactions API. `stored`: the provider stores the conversation, and only
   * new messages are sent. `encrypted`: the provider stores nothing (`store: false`) and returns encrypted reasoning,
   * which is sent with the next request. Default: `stored` for OpenAI and Google, none for other hosts.
   */
  readonly state?: StateLocation
}

/** The names of the provider options. */
export const PROVIDER_OPTION_NAMES: OptionNames<ProviderOptions> = {
  apiKey: true,
  baseUrl: true,
  baseURL: true,
  headers: true,
  auth: AUTH_STYLES,
  ...TRANSPORT_OPTION_NAMES,
  apiVersion: true,
  onLoss: ON_LOSS_CHOICES,
  foreignReasoning: FOREIGN_REASONING_ACTIONS,
  unsupported: POLICY_NAMES,
  capabilities: CAPABILITY_NAMES,
  promptCaching: Boolean,
  prices: { currency: true, prices: true },
  state: ['stored', 'encrypted'],
}

/** Hints for the options of other libraries. */
export const PROVIDER_OPTION_HINTS: OptionHints = {
  maxRetries: 'Use `retry: { maxAttempts }`, which counts the first attempt, too.',
  timeout: 'Use `timeouts: { totalMs }`.',
  organization: "Use `headers: { 'openai-organization': '…' }`.",
  project: "Use `headers: { 'openai-project': '…' }`.",
}

/** Returns the options with one spelling of the base URL; throws for unknown options. */
export function checkProviderOptions(options: ProviderOptions): ProviderOptions {
  checkOptions('the provider', options, PROVIDER_OPTION_NAMES, PROVIDER_OPTION_HINTS)
  checkHeaders(options.headers)
  const { baseURL, ...rest } = options
  if (baseURL === undefined) return rest
  if (rest.baseUrl === undefined || rest.baseUrl === baseURL) return { ...rest, baseUrl: baseURL }
  throw new InterlinguaError('invalid-value', 'The provider has two different base URLs', {
    path: '/baseURL',
    found: '`baseUrl` and `baseURL`',
    expected: 'one of them',
    hint: 'Remove one of them.',
  })
}

/** Refuses a `Headers` and a list of pairs: none of their headers would be sent. */
function checkHeaders(headers: unknown): void {
  if (headers === undefined || (isObject(headers) && !(Symbol.iterator in headers))) return
  throw new InterlinguaError('invalid-type', 'The option `headers` of the provider is not a plain object', {
    path: '/headers',
    found: describeType(headers),
    expected: 'an object with a text for each header',
    hint: 'Pass Object.fromEntries(headers).',
  })
}
