import type { Model } from '../canonical/model/model-interface.ts'
import { InterlinguaError } from '../errors.ts'
import { withTypedErrors } from '../wire/internal-error.ts'
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
    const found = JSON.stringify(id.slice(0, 100))
    throw new InterlinguaError('unknown-id', `Unknown model ${found}`, {
      found,
      expected: "'<provider>:<model>', such as 'anthropic:claude-…'",
      hint: `Use one of the providers ${Object.keys(known).join(', ')}.`,
    })
  }, [id, given])
}
