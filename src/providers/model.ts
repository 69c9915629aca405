import type { Model } from '../client/model.ts'
import { InterlinguaError } from '../errors.ts'
import type { ProviderOptions } from './provider.ts'
import type { ProviderName } from './rows.ts'
import { providers } from './vendors.ts'

/**
 * A model by the name of its provider and its own.
 *
 * @example
 * const { text } = await model('anthropic:claude-…').generate({ messages: [user('Hi')] })
 */
export function model(name: string, options?: ProviderOptions): Model {
  const at = name.indexOf(':')
  const provider = name.slice(0, Math.max(0, at))
  if (!isProvider(provider) || at === name.length - 1) throw unknown(name)
  return providers[provider](name.slice(at + 1), options)
}

function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(providers, name)
}

function unknown(name: string): InterlinguaError {
  return new InterlinguaError('unknown-id', `No model is called ${JSON.stringify(name.slice(0, 100))}`, {
    found: JSON.stringify(name.slice(0, 100)),
    expected: "'<provider>:<model>', such as 'anthropic:claude-…'",
    hint: `The providers are ${Object.keys(providers).join(', ')}.`,
  })
}
