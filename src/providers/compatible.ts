import type { Flavor } from '../dialects/dialect.ts'
import { type Provider, type ProviderOptions, providerOf } from './provider.ts'
import { compatible } from './rows.ts'

/** A host that is not in the table. */
export interface CompatibleOptions extends ProviderOptions {
  readonly baseUrl: string
  /** What replies and errors call it; default: the name of the host. */
  readonly name?: string
  /** What it speaks; default: `openai-chat`. */
  readonly dialect?: 'openai-chat' | 'openai-responses'
  /** How it differs from the format that it speaks: `vllm`, `llama.cpp`, `lmstudio` and others. */
  readonly flavor?: Flavor
}

/**
 * Any host that speaks Chat Completions or the Responses API. It gets a key only where one is given.
 *
 * @example
 * const local = openaiCompatible({ baseUrl: 'http://127.0.0.1:8000/v1', flavor: 'vllm' })
 * const { text } = await local('llama-…').generate({ messages: [user('Hi')] })
 */
export function openaiCompatible(options: CompatibleOptions): Provider {
  const { name, dialect = 'openai-chat', flavor, ...defaults } = options
  const provider = name ?? hostOf(options.baseUrl)
  const { streamFields, ...row } = compatible
  return providerOf(
    {
      ...row,
      provider,
      dialect,
      ...(dialect === 'openai-chat' && streamFields && { streamFields }),
      ...(flavor !== undefined && { flavor }),
    },
    defaults,
  )
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : 'compatible'
}
