import type { Model } from '../canonical/model/model-interface.ts'
import { InterlinguaError } from '../errors.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { suggestSimilarNames } from '../wire/similar-names.ts'
import { providers } from './built-in-providers.ts'
import { checkModelName, type Provider } from './provider.ts'
import type { ProviderOptions } from './provider-options.ts'
import { findRegisteredModel, type Registry } from './registry.ts'

/** Options of {@link model}. */
export interface NamedModelOptions extends ProviderOptions {
  /** The providers and models of the application. Default: the built-in ones. */
  readonly registry?: Pick<Registry, 'providers' | 'models'>
}

/**
 * Returns a model by the name of its provider and its own name, separated by a colon.
 *
 * @example
 * const { text } = await model('anthropic:claude-…').generate('Hi')
 * const own = model('parley:parley-1', { registry })
 */
export function model(id: string, given: NamedModelOptions = {}): Model {
  return withTypedErrors(() => {
    const { registry, ...options } = given
    const known: { readonly [name: string]: Provider } = registry?.providers ?? providers
    const separator = (typeof id === 'string' ? id : checkModelName(id)).indexOf(':')
    const providerName = id.slice(0, Math.max(0, separator))
    const name = id.slice(separator + 1)
    const provider = Object.hasOwn(known, providerName) ? known[providerName] : undefined
    if (provider !== undefined && name !== '') {
      const facts = registry && findRegisteredModel(registry, name)
      const capabilities = { ...facts, ...options.capabilities }
      return provider(name, facts === undefined ? options : { ...options, capabilities })
    }
    throw createUnknownModelError(id, Object.keys(known))
  }, [id, given])
}

/** Names of models that do not need their provider for a reader: prefixes of the vendors' families. */
const VENDOR_PREFIXES: readonly (readonly [pattern: RegExp, provider: string])[] = [
  [/^(gpt-|o\d|chatgpt)/i, 'openai'],
  [/^claude/i, 'anthropic'],
  [/^gemini/i, 'gemini'],
  [/^mistral|^ministral|^codestral|^magistral/i, 'mistral'],
  [/^command/i, 'cohere'],
  [/^grok/i, 'xai'],
  [/^deepseek/i, 'deepseek'],
]

const PROVIDERS_HINT =
  'Run `interlingua providers` to list the providers, or see docs/reference/providers.md.'

function createUnknownModelError(id: string, known: readonly string[]): InterlinguaError {
  const found = JSON.stringify(id.slice(0, 100))
  const expected = "'<provider>:<model>', such as 'anthropic:claude-sonnet-5'"
  const separator = id.search(/[:/]/)
  const provider = id.slice(0, Math.max(0, separator))
  const name = id.slice(separator + 1)
  if (provider !== '' && id[separator] === ':' && name !== '' && !known.includes(provider))
    return new InterlinguaError(
      'unknown-id',
      `Unknown provider ${JSON.stringify(provider)} of the model ${found}`,
      {
        found,
        expected,
        hint: suggestSimilarNames(provider, known) ?? PROVIDERS_HINT,
      },
    )
  const vendor = VENDOR_PREFIXES.find(([pattern]) => pattern.test(id))?.[1]
  const suggested =
    known.includes(provider) && name !== '' ? `${provider}:${name}` : vendor && `${vendor}:${id}`
  return new InterlinguaError('unknown-id', `The model ${found} has no provider`, {
    found,
    expected,
    hint: suggested === undefined ? `Write ${expected}.` : `Write '${suggested.slice(0, 100)}'.`,
  })
}
