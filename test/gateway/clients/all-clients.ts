import { aiSdkClients } from './ai-sdk-clients.ts'
import { anthropicClient } from './anthropic-client.ts'
import { bedrockClient } from './bedrock-client.ts'
import { cohereClient } from './cohere-client.ts'
import { googleClients } from './google-clients.ts'
import { langChainClients } from './langchain-clients.ts'
import { mistralClient } from './mistral-client.ts'
import { ollamaClient } from './ollama-client.ts'
import { openaiClients } from './openai-clients.ts'
import type { SdkClient } from './sdk-client.ts'

/** The clients of the vendors. */
export const officialClients: readonly SdkClient[] = [
  ...openaiClients,
  anthropicClient,
  ...googleClients,
  ollamaClient,
  mistralClient,
  bedrockClient,
  cohereClient,
]

/** The models of the AI SDK and of LangChain. */
export const libraryClients: readonly SdkClient[] = [...aiSdkClients, ...langChainClients]
