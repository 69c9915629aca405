// Hosts without a constructor of their own: `providers.nebius`, `model('nebius:…')`. To add one, add its row, and the row of its
// fake in test/providers/fakes/table.ts.
import type { Flavor } from '../dialects/engine/dialect.ts'
import type { FlavorNamesByDialect } from '../dialects/engine/flavor-names.ts'
import type { ProviderRow } from './provider-row.ts'
import type { JsonObject } from '../wire/json.ts'

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

/** The name of a compatible host. */
export type CompatibleHost =
  | 'cloudflare'
  | 'deepinfra'
  | 'deepseek-anthropic'
  | 'github-models'
  | 'huggingface'
  | 'litellm'
  | 'llama.cpp'
  | 'llama.cpp-anthropic'
  | 'lmstudio'
  | 'lmstudio-anthropic'
  | 'minimax'
  | 'minimax-anthropic'
  | 'moonshot'
  | 'moonshot-anthropic'
  | 'nebius'
  | 'nvidia'
  | 'ollama-anthropic'
  | 'qwen'
  | 'sambanova'
  | 'vllm'
  | 'zai'
  | 'zai-anthropic'

const withEmbeddings = { ...withStreamUsage, embedding: compatibleEmbedding }

/** Returns the row of a host with Anthropic's format. Its flavor has the name of the provider. */
function createAnthropicRow(
  provider: FlavorNamesByDialect['anthropic'],
  baseUrl: string,
  keyVariable: string,
  facts: Partial<ProviderRow> = {},
): ProviderRow {
  return {
    provider,
    dialect: 'anthropic',
    flavor: provider,
    baseUrl,
    keyVariables: [keyVariable],
    auth: 'bearer',
    capabilities: { supportsOutputSchema: false },
    ...facts,
  }
}

/** A server of the user with Anthropic's format: its list of models has the same form, too. */
const ownAnthropicServer = { isKeyOptional: true, listStyle: 'anthropic' } as const

/** A server of the user: it may run without a key. */
const ownServer = { ...withEmbeddings, isKeyOptional: true } as const

/** The rows of the compatible hosts. Keys and base URLs: the documentation of each host (2026-11). */
export const compatibleHostRows: { readonly [name in CompatibleHost]: ProviderRow } = {
  // https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility: no list of models in this API
  cloudflare: {
    dialect: 'openai-chat',
    auth: 'bearer',
    provider: 'cloudflare',
    flavor: 'cloudflare',
    baseUrl: 'https://api.cloudflare.com/client/v4/accounts/{CLOUDFLARE_ACCOUNT_ID}/ai/v1',
    keyVariables: ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_API_KEY'],
    ...withEmbeddings,
  },
  // https://docs.deepinfra.com; the second variable is that of its examples
  deepinfra: createChatRow('deepinfra', 'https://api.deepinfra.com/v1/openai', 'DEEPINFRA_API_KEY', {
    ...withEmbeddings,
    keyVariables: ['DEEPINFRA_API_KEY', 'DEEPINFRA_TOKEN'],
  }),
  // https://docs.github.com/en/rest/models/inference: the list of models is a catalog with another base URL
  'github-models': {
    dialect: 'openai-chat',
    auth: 'bearer',
    provider: 'github-models',
    flavor: 'github-models',
    baseUrl: 'https://models.github.ai/inference',
    keyVariables: ['GITHUB_TOKEN'],
    ...withEmbeddings,
  },
  // https://huggingface.co/docs/inference-providers
  huggingface: createChatRow('huggingface', 'https://router.huggingface.co/v1', 'HF_TOKEN', withStreamUsage),
  // https://docs.litellm.ai/docs/providers/litellm_proxy
  litellm: createChatRow('litellm', 'http://127.0.0.1:4000', 'LITELLM_PROXY_API_KEY', {
    ...ownServer,
    baseUrlVariable: 'LITELLM_PROXY_API_BASE',
  }),
  // https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md: the variable is that of the server
  'llama.cpp': createChatRow('llama.cpp', 'http://127.0.0.1:8080/v1', 'LLAMA_API_KEY', ownServer),
  // https://lmstudio.ai/docs/developer/openai-compat
  lmstudio: createChatRow('lmstudio', 'http://127.0.0.1:1234/v1', 'LM_API_TOKEN', ownServer),
  // https://platform.minimax.io/docs/api-reference/text-openai-api: without the field, reasoning is in the text
  minimax: createChatRow('minimax', 'https://api.minimax.io/v1', 'MINIMAX_API_KEY', {
    ...withStreamUsage,
    defaultFields: { reasoning_split: true },
  }),
  // https://platform.kimi.ai/docs/api/overview
  moonshot: createChatRow('moonshot', 'https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY', withStreamUsage),
  // https://docs.tokenfactory.nebius.com/api-reference/introduction
  nebius: createChatRow('nebius', 'https://api.tokenfactory.nebius.com/v1', 'NEBIUS_API_KEY', withEmbeddings),
  // https://docs.api.nvidia.com/nim/reference
  nvidia: createChatRow('nvidia', 'https://integrate.api.nvidia.com/v1', 'NVIDIA_API_KEY', withStreamUsage),
  // https://www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope
  qwen: createChatRow('qwen', 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'DASHSCOPE_API_KEY', {
    ...withStreamUsage,
    // https://www.alibabacloud.com/help/en/model-studio/text-embedding-synchronous-api
    embedding: { style: 'openai', maxTexts: 10 },
  }),
  // https://docs.sambanova.ai/docs/en/features/openai-compatibility
  sambanova: createChatRow('sambanova', 'https://api.sambanova.ai/v1', 'SAMBANOVA_API_KEY', withEmbeddings),
  // https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html: the variable is that of the server
  vllm: createChatRow('vllm', 'http://127.0.0.1:8000/v1', 'VLLM_API_KEY', ownServer),
  // https://docs.z.ai/api-reference/llm/chat-completion
  zai: createChatRow('zai', 'https://api.z.ai/api/paas/v4', 'ZAI_API_KEY', {
    ...withStreamUsage,
    capabilities: { supportsOutputSchema: false },
  }),
  // https://api-docs.deepseek.com/guides/anthropic_api
  'deepseek-anthropic': createAnthropicRow(
    'deepseek',
    'https://api.deepseek.com/anthropic',
    'DEEPSEEK_API_KEY',
    { auth: 'x-api-key' },
  ),
  // The server counts tokens: https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
  'llama.cpp-anthropic': createAnthropicRow('llama.cpp', 'http://127.0.0.1:8080', 'LLAMA_API_KEY', {
    ...ownAnthropicServer,
    countStyle: 'anthropic',
  }),
  // https://lmstudio.ai/docs/developer/anthropic-compat
  'lmstudio-anthropic': createAnthropicRow(
    'lmstudio',
    'http://127.0.0.1:1234',
    'LM_API_TOKEN',
    ownAnthropicServer,
  ),
  // https://platform.minimax.io/docs/api-reference/text-anthropic-api
  'minimax-anthropic': createAnthropicRow('minimax', 'https://api.minimax.io/anthropic', 'MINIMAX_API_KEY'),
  // https://platform.kimi.ai/docs/api/overview
  'moonshot-anthropic': createAnthropicRow(
    'moonshot',
    'https://api.moonshot.ai/anthropic',
    'MOONSHOT_API_KEY',
  ),
  // https://docs.ollama.com/api/anthropic-compatibility
  'ollama-anthropic': createAnthropicRow('ollama', 'http://127.0.0.1:11434', 'OLLAMA_API_KEY', {
    ...ownAnthropicServer,
    baseUrlVariable: 'OLLAMA_HOST',
    defaultPort: 11434,
  }),
  // https://docs.z.ai/scenario-example/develop-tools/claude
  'zai-anthropic': createAnthropicRow('zai', 'https://api.z.ai/api/anthropic', 'ZAI_API_KEY'),
}
