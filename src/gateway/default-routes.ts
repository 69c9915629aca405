import { providerTable } from '../providers/provider-table.ts'
import type { GatewayRoute } from './config.ts'

/** The routes without a configuration: names with a provider, and names of the vendors that have their own. */
export const DEFAULT_ROUTES: readonly GatewayRoute[] = [
  ...Object.keys(providerTable).map((name) => ({ model: `${name}:*`, to: `${name}:*` })),
  { model: 'claude-*', to: 'anthropic:claude-*' },
  { model: 'gemini-*', to: 'gemini:gemini-*' },
  { model: 'gpt-*', to: 'openai:gpt-*' },
  { model: 'mistral-*', to: 'mistral:mistral-*' },
]
