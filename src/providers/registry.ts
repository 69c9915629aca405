import type { ModelCapabilities } from '../canonical/model/capabilities.ts'
import { dialects } from '../dialects/dialects.ts'
import { isDialect } from '../dialects/engine/define-dialect.ts'
import type { Dialect, DialectName } from '../dialects/engine/dialect.ts'
import { isRegisteredFlavor, type RegisteredFlavor } from '../dialects/engine/flavor-registry.ts'
import type { DialectRegistry } from '../dialects/resolve-dialect.ts'
import { InterlinguaError } from '../errors.ts'
import { checkOptions } from '../wire/check-options.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { describeType } from '../wire/json.ts'
import { providers } from './built-in-providers.ts'
import type { Provider } from './provider.ts'

/** Dialects, providers, flavors and models that an application adds to the built-in ones. */
export interface RegistryOptions<Name extends string = string> {
  /** The dialects; a name of a built-in one replaces it. */
  readonly dialects?: readonly (Dialect & { readonly name: Name })[]
  /** The providers, by the name in `model('<name>:<model>')`. A built-in one of the same name is replaced. */
  readonly providers?: { readonly [name: string]: Provider }
  /** Facts about models, by name. A name may end in `*`; the longest that fits is used. */
  readonly models?: { readonly [name: string]: ModelCapabilities }
  /** The flavors, as `defineFlavor` returned them: the command line offers them for `--flavor`. */
  readonly flavors?: readonly RegisteredFlavor[]
}

/** The dialects, providers and models that a program knows: the built-in ones and its own. */
export interface Registry<Name extends string = string> extends DialectRegistry<Name | DialectName> {
  readonly providers: { readonly [name: string]: Provider }
  readonly models: { readonly [name: string]: ModelCapabilities }
  readonly flavors: readonly RegisteredFlavor[]
}

/**
 * Creates a registry. The translate functions, `model()`, `detect()` and the command line accept it.
 *
 * @example
 * const registry = createRegistry({ dialects: [parleyDialect], providers: { parley } })
 * translateRequest(body, { from: 'parley', to: 'anthropic', registry })
 * model('parley:parley-1', { registry })
 */
export function createRegistry<const Name extends string = never>(
  options: RegistryOptions<Name> = {},
): Registry<Name> {
  return withTypedErrors(() => {
    checkOptions('`createRegistry`', options, {
      dialects: true,
      providers: true,
      models: true,
      flavors: true,
    })
    const { dialects: own = [], providers: ownProviders = {}, models = {}, flavors = [] } = options
    for (const dialect of own) if (!isDialect(dialect)) throw invalidEntryError('/dialects', dialect)
    for (const [name, provider] of Object.entries(ownProviders))
      if (typeof provider !== 'function' || name.includes(':'))
        throw invalidEntryError(`/providers/${name}`, provider)
    for (const [index, flavor] of flavors.entries())
      if (!isRegisteredFlavor(flavor)) throw invalidEntryError(`/flavors/${index}`, flavor)
    const named = Object.fromEntries(own.map((dialect) => [dialect.name, dialect]))
    return Object.freeze({
      dialects: Object.freeze({ ...dialects, ...named }) as Registry<Name>['dialects'],
      providers: Object.freeze({ ...providers, ...ownProviders }),
      models: Object.freeze({ ...models }),
      flavors: Object.freeze([...flavors]),
    })
  })
}

/** Returns the facts about a model in a registry. */
export function findRegisteredModel(
  { models }: Pick<Registry, 'models'>,
  name: string,
): ModelCapabilities | undefined {
  const fits = Object.keys(models).filter((each) =>
    each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : each === name,
  )
  const [best] = fits.toSorted((a, b) => b.length - a.length)
  return best === undefined ? undefined : models[best]
}

/** What each list of a registry contains, and the function that creates it. */
const entryKinds: { readonly [list: string]: readonly [expected: string, creator: string] } = {
  dialects: ['a dialect', 'defineDialect'],
  providers: ['a provider under a name without a colon', 'defineProvider'],
  flavors: ['a flavor that is defined', 'defineFlavor'],
}

function invalidEntryError(path: string, found: unknown): InterlinguaError {
  const [expected = '', creator = ''] = entryKinds[path.split('/')[1] ?? ''] ?? []
  return new InterlinguaError('invalid-value', `The registry has an invalid entry at ${path}`, {
    path,
    found: describeType(found),
    expected,
    hint: `Pass the result of \`${creator}\`.`,
  })
}
