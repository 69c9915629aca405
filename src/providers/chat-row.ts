import type { Flavor } from '../dialects/engine/dialect.ts'
import type { JsonObject } from '../wire/json.ts'
import type { ProviderRow } from './provider-row.ts'

/** The facts that all hosts of the Chat Completions API share. */
export const chatRow: Pick<ProviderRow, 'dialect' | 'auth' | 'listStyle'> = {
  dialect: 'openai-chat',
  auth: 'bearer',
  listStyle: 'openai',
}

/** Without this field a Chat Completions stream does not report usage. */
export const withStreamUsage: { readonly defaultStreamFields: JsonObject } = {
  defaultStreamFields: { stream_options: { include_usage: true } },
}

/**
 * Hosts that state no limit get the default limit of Text Embeddings Inference.
 * @see https://huggingface.co/docs/text-embeddings-inference/cli_arguments (2026)
 */
export const compatibleEmbedding: NonNullable<ProviderRow['embedding']> = { style: 'openai', maxTexts: 32 }

/** Returns the row of a host of the Chat Completions API that has a flavor of its own. */
export function createChatRow(
  provider: Flavor,
  baseUrl: string,
  keyVariable: string,
  facts: Partial<ProviderRow> = {},
): ProviderRow {
  return { ...chatRow, provider, flavor: provider, baseUrl, keyVariables: [keyVariable], ...facts }
}
