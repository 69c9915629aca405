import type fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { aiSdkUiMessages, type MessageFormat } from 'interlingua/formats/ai-sdk-ui-messages'
import { aiSdkModelMessages } from 'interlingua/formats/ai-sdk-model-messages'
import { dartantic } from 'interlingua/formats/dartantic'
import { anyDartanticMessages } from './dartantic-arbitrary.ts'
import { instructorPhp } from 'interlingua/formats/instructor-php'
import { anyInstructorMessages } from './instructor-php-arbitrary.ts'
import { langchain } from 'interlingua/formats/langchain'
import { anyLangChainMessages } from './langchain-arbitrary.ts'
import { laragent } from 'interlingua/formats/laragent'
import { anyLarAgentMessages } from './laragent-arbitrary.ts'
import { neuronAi } from 'interlingua/formats/neuron-ai'
import { anyNeuronMessages } from './neuron-ai-arbitrary.ts'
import { llmMsgIo } from 'interlingua/formats/llm-msg-io'
import { anyMsgIoMessages } from './llm-msg-io-arbitrary.ts'
import { anyModelMessages } from './model-message-arbitrary.ts'
import { anyUIMessages } from './ui-message-arbitrary.ts'

import { agUiMessages } from 'interlingua/formats/ag-ui-messages'
import { anyAgUiMessages } from './ag-ui-messages-arbitrary.ts'

import { openaiAgents } from 'interlingua/formats/openai-agents'
import { anyAgentItems } from './openai-agents-arbitrary.ts'

import { pydanticAi } from 'interlingua/formats/pydantic-ai'
import { anyPydanticMessages } from './pydantic-ai-arbitrary.ts'

import { mastra } from 'interlingua/formats/mastra'
import { anyMastraMessages } from './mastra-arbitrary.ts'

import { openTelemetry } from 'interlingua/formats/opentelemetry'
import { anyTelemetryMessages } from './opentelemetry-arbitrary.ts'

import { mcpMessages } from 'interlingua/formats/mcp'
import { anyMcpMessages } from './mcp-arbitrary.ts'

import { pi } from 'interlingua/formats/pi'
import { anyPiMessages } from './pi-arbitrary.ts'

/** A message format with generated messages of its own. */
export interface FormatRow {
  readonly name: string
  readonly format: MessageFormat
  readonly messages: fc.Arbitrary<JsonObject[]>
  /** The keys of lists whose items must be known: an unknown one is an error. */
  readonly closedLists?: readonly string[]
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
  { name: 'dartantic', format: dartantic as unknown as MessageFormat, messages: anyDartanticMessages },
  {
    name: 'instructor-php',
    format: instructorPhp as unknown as MessageFormat,
    messages: anyInstructorMessages,
    closedLists: ['tool_calls'],
  },
  {
    name: 'laragent',
    format: laragent as unknown as MessageFormat,
    messages: anyLarAgentMessages,
    closedLists: ['tool_calls'],
  },
  {
    name: 'neuron-ai',
    format: neuronAi as unknown as MessageFormat,
    messages: anyNeuronMessages,
    closedLists: ['tools'],
  },
  {
    name: 'llm-msg-io',
    format: llmMsgIo as unknown as MessageFormat,
    messages: anyMsgIoMessages,
    closedLists: ['tool_calls'],
  },
  {
    name: 'ag-ui-messages',
    format: agUiMessages as unknown as MessageFormat,
    messages: anyAgUiMessages,
    closedLists: ['toolCalls'],
  },
  { name: 'openai-agents', format: openaiAgents as unknown as MessageFormat, messages: anyAgentItems },
  { name: 'pydantic-ai', format: pydanticAi as unknown as MessageFormat, messages: anyPydanticMessages },
  { name: 'mastra', format: mastra as unknown as MessageFormat, messages: anyMastraMessages },
  {
    name: 'opentelemetry',
    format: openTelemetry as unknown as MessageFormat,
    messages: anyTelemetryMessages,
  },
  { name: 'mcp', format: mcpMessages as unknown as MessageFormat, messages: anyMcpMessages },
  { name: 'pi', format: pi as unknown as MessageFormat, messages: anyPiMessages },
]
