import type { ModelCapabilities } from '../canonical/model/capabilities.ts'
import { isDialect } from '../dialects/engine/define-dialect.ts'
import type { Dialect } from '../dialects/engine/dialect.ts'
import { checkFlavor } from '../dialects/engine/flavor-registry.ts'
import { InterlinguaError } from '../errors.ts'
import { checkOptions, type OptionNames } from '../wire/check-options.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { describeType } from '../wire/json.ts'
import { createProvider, type Provider } from './provider.ts'
import type { ProviderRow } from './provider-row.ts'

/** The facts about a provider of your own; what is absent has a default. */
export interface ProviderDefinition extends Pick<
  ProviderRow,
  | 'baseUrlVariable'
  | 'defaultPort'
  | 'pathPrefix'
  | 'isKeyOptional'
  | 'defaultStreamFields'
  | 'listStyle'
  | 'embedding'
  | 'flavor'
> {
  /** The provider name in replies, errors and `model('<name>:<model>')`. */
  readonly name: string
  /** The dialect of the provider: a built-in one, or the result of `defineDialect`. */
  readonly dialect: Dialect
  /** The part of the URL before the paths of the dialect; absent if every caller passes its own. */
  readonly baseUrl?: string
  /** The environment variables of the key. Default: none; pass `apiKey`. */
  readonly keyVariables?: readonly string[]
  /** The header that contains the key. Default: `bearer`. */
  readonly auth?: ProviderRow['auth']
  /** Capabilities of all models of the provider. */
  readonly capabilities?: ModelCapabilities
}

const DEFINITION_NAMES: OptionNames<ProviderDefinition> = {
  name: true,
  dialect: true,
  flavor: true,
  baseUrl: true,
  baseUrlVariable: true,
  defaultPort: true,
  pathPrefix: true,
  keyVariables: true,
  isKeyOptional: Boolean,
  auth: true,
  capabilities: true,
  defaultStreamFields: true,
  listStyle: true,
  embedding: true,
}

/**
 * Defines a provider from its facts. It is used like a built-in one, and `createRegistry` gives it a name in `model()`.
 *
 * @example
 * const parley = defineProvider({
 *   name: 'parley',
 *   dialect: parleyDialect,
 *   baseUrl: 'https://api.parley.example',
 *   keyVariables: ['PARLEY_API_KEY'],
 * })
 * const { text } = await parley('parley-1').generate('Hi')
 */
export function defineProvider(definition: ProviderDefinition): Provider {
  return withTypedErrors(() => {
    checkOptions('`defineProvider`', definition, DEFINITION_NAMES)
    checkFlavor(definition.flavor)
    const { name, dialect, keyVariables = [], auth = 'bearer', ...facts } = definition
    if (!isDialect(dialect)) throw invalidDialectError(dialect)
    const row: ProviderRow = { ...facts, provider: name, dialect: dialect.name, keyVariables, auth }
    return createProvider(row, { [dialect.name]: dialect })
  })
}

function invalidDialectError(found: unknown): InterlinguaError {
  return new InterlinguaError('invalid-value', 'The provider has no dialect', {
    path: '/dialect',
    found: describeType(found),
    expected: 'a dialect',
    hint: 'Pass a dialect itself, such as `dialects.anthropic` or the result of `defineDialect`, not its name.',
  })
}
