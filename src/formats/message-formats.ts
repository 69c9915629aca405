import type { DialectName } from '../dialects/engine/dialect.ts'
import { codec as agUiMessages } from './ag-ui-messages/codec.ts'
import { codec as aiSdkModelMessages } from './ai-sdk-model-messages/codec.ts'
import { codec as aiSdkUiMessages } from './ai-sdk-ui-messages/codec.ts'
import { codec as chatMl } from './chatml/codec.ts'
import { isWritableConversationFormat, type WritableConversationFormatName } from './conversation-formats.ts'
import { codec as dartantic } from './dartantic/codec.ts'
import type { MessageFormatCodec } from './engine/message-format.ts'
import { codec as geminiTuning } from './gemini-tuning/codec.ts'
import { codec as harmony } from './harmony/codec.ts'
import { codec as huggingFace } from './huggingface/codec.ts'
import { codec as instructorPhp } from './instructor-php/codec.ts'
import { codec as langchain } from './langchain/codec.ts'
import { codec as laragent } from './laragent/codec.ts'
import { codec as llmMsgIo } from './llm-msg-io/codec.ts'
import { codec as markdown } from './markdown/codec.ts'
import { codec as mastra } from './mastra/codec.ts'
import { codec as mcp } from './mcp/codec.ts'
import { codec as neuronAi } from './neuron-ai/codec.ts'
import { codec as openaiAgents } from './openai-agents/codec.ts'
import { codec as openaiFineTuning } from './openai-fine-tuning/codec.ts'
import { codec as openTelemetry } from './opentelemetry/codec.ts'
import { codec as pi } from './pi/codec.ts'
import { codec as pydanticAi } from './pydantic-ai/codec.ts'
import { codec as shareGpt } from './sharegpt/codec.ts'
import { codecs as wireCodecs } from './wire-messages/codec.ts'

/** The name of a format that messages can be written in: a library, or a wire format. */
export type WritableFormatName =
  | DialectName
  | WritableConversationFormatName
  | 'ag-ui-messages'
  | 'ai-sdk-model-messages'
  | 'ai-sdk-ui-messages'
  | 'dartantic'
  | 'instructor-php'
  | 'langchain'
  | 'laragent'
  | 'llm-msg-io'
  | 'mastra'
  | 'mcp'
  | 'neuron-ai'
  | 'openai-agents'
  | 'opentelemetry'
  | 'pi'
  | 'pydantic-ai'

/**
 * The codecs of all formats by name, most specific first: of formats that fit a list equally well, the first one is chosen.
 */
export const messageFormatCodecs: { readonly [name in WritableFormatName]: MessageFormatCodec<name> } = {
  opentelemetry: openTelemetry,
  mastra,
  'ai-sdk-ui-messages': aiSdkUiMessages,
  'ag-ui-messages': agUiMessages,
  'ai-sdk-model-messages': aiSdkModelMessages,
  dartantic,
  'instructor-php': instructorPhp,
  'openai-agents': openaiAgents,
  'pydantic-ai': pydanticAi,
  mcp,
  pi,
  langchain,
  laragent,
  'neuron-ai': neuronAi,
  'llm-msg-io': llmMsgIo,
  ...wireCodecs,
  'openai-fine-tuning': openaiFineTuning,
  'gemini-tuning': geminiTuning,
  sharegpt: shareGpt,
  huggingface: huggingFace,
  chatml: chatMl,
  harmony,
  markdown,
}

/** The codecs of lists of messages, in the order in which they are detected. */
export const messageFormatList: readonly MessageFormatCodec<WritableFormatName>[] =
  /* @__PURE__ */ Object.values(messageFormatCodecs).filter(({ name }) => !isWritableConversationFormat(name))
