import type fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { aiSdkUiMessages, type MessageFormat } from 'interlingua/formats/ai-sdk-ui-messages'
import { aiSdkModelMessages } from 'interlingua/formats/ai-sdk-model-messages'
import { langchain } from 'interlingua/formats/langchain'
import { anyLangChainMessages } from './langchain-arbitrary.ts'
import { anyModelMessages } from './model-message-arbitrary.ts'
import { anyUIMessages } from './ui-message-arbitrary.ts'

/** A message format with generated messages of its own. */
export interface FormatRow {
  readonly name: string
  readonly format: MessageFormat
  readonly messages: fc.Arbitrary<JsonObject[]>
}

/** Every format of a library. */
export const formatRows: readonly FormatRow[] = [
  {
    name: 'ai-sdk-ui-messages',
    format: aiSdkUiMessages as unknown as MessageFormat,
    messages: anyUIMessages,
  },
  {
    name: 'ai-sdk-model-messages',
    format: aiSdkModelMessages as unknown as MessageFormat,
    messages: anyModelMessages,
  },
  {
    name: 'langchain',
    format: langchain as unknown as MessageFormat,
    messages: anyLangChainMessages,
  },
]
