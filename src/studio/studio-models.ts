import type { Model } from '../canonical/model/model-interface.ts'
import { demo, DEMO_MODEL_NAME } from '../client/demo-model.ts'
import { InterlinguaError } from '../errors.ts'
import { readEnvironmentVariable } from '../providers/connection.ts'
import { providers } from '../providers/built-in-providers.ts'
import { model } from '../providers/model-by-name.ts'
import type { Provider } from '../providers/provider.ts'
import { providerTable } from '../providers/provider-table.ts'
import { createRegistry, type Registry } from '../providers/registry.ts'
import { toTypedError } from '../wire/typed-errors.ts'
import type { ModelGroup } from './api/contract.ts'

/** The delay makes the stream of the demo model visible. */
const DEMO_DELAY_MS = 12

/** The time in which a provider must list its models. */
const LIST_TIMEOUT_MS = 3000

function refuseDemoCall(): never {
  throw new InterlinguaError('unsupported', 'The demo model only answers conversations', {
    hint: 'Use a model of a provider.',
  })
}

/** The demo model as a provider, for the routes of the gateway. */
const demoProvider: Provider = Object.assign(() => demo({ eventDelayMs: DEMO_DELAY_MS }), {
  embedding: refuseDemoCall,
  listModels: async () => [{ id: DEMO_MODEL_NAME, raw: {} }],
  with: () => demoProvider,
})

/** The name of {@link busyProvider}. */
export const BUSY_PROVIDER_NAME = 'busy'

/** A provider that refuses every request, so that samples show retries and fallbacks. It uses no network. */
const busyProvider: Provider = providers.openai.with({
  apiKey: 'none',
  baseUrl: 'http://busy.invalid',
  fetch: async () =>
    Response.json({ error: { message: 'This sample provider is always overloaded.' } }, { status: 503 }),
  retry: { maxAttempts: 2, baseDelayMs: 20 },
})

/** The providers of the studio: the built-in ones, and those of the samples. */
export const studioRegistry: Registry = createRegistry({
  providers: { [DEMO_MODEL_NAME]: demoProvider, [BUSY_PROVIDER_NAME]: busyProvider },
})

/** Creates a model from `demo` or `provider:model`. */
export function createStudioModel(name: string): Model {
  const id = name === DEMO_MODEL_NAME ? `${DEMO_MODEL_NAME}:${DEMO_MODEL_NAME}` : name
  return model(id, { registry: studioRegistry })
}

/** Lists the models of the providers whose keys are set, and of local servers that respond. */
export async function listModelGroups(): Promise<readonly ModelGroup[]> {
  const names = Object.keys(providerTable) as (keyof typeof providerTable)[]
  const groups = await Promise.all(names.filter(isConfigured).map(listGroup))
  return [{ provider: DEMO_MODEL_NAME, models: [DEMO_MODEL_NAME] }, ...groups.flat()]
}

function isSet(variable: string): boolean {
  return (readEnvironmentVariable(variable) ?? '').trim() !== ''
}

function isConfigured(name: keyof typeof providerTable): boolean {
  const { keyVariables, isKeyOptional, baseUrl, baseUrlVariable } = providerTable[name]
  if (baseUrl === undefined && !isSet(baseUrlVariable ?? '')) return false
  return isKeyOptional === true || keyVariables.some(isSet)
}

/** Lists the models of a provider. A local server that is not running has none; a provider with a key must respond. */
async function listGroup(provider: keyof typeof providerTable): Promise<readonly ModelGroup[]> {
  try {
    const signal = AbortSignal.timeout(LIST_TIMEOUT_MS)
    const models = await providers[provider].listModels({ signal, retry: { maxAttempts: 1 } })
    return models.length === 0 ? [] : [{ provider, models: models.map(({ id }) => `${provider}:${id}`) }]
  } catch (error) {
    const hasKey = providerTable[provider].keyVariables.some(isSet)
    return hasKey ? [{ provider, models: [], error: toTypedError(error).message }] : []
  }
}
