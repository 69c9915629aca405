// The bodies of Amazon Bedrock's Converse API as the `bedrock` dialect writes them: the JSON on the wire, in which bytes are
// base64. The official client has the same fields with `Uint8Array` for bytes, and the model beside them. Fields and values that
// are missing in these types are kept and sent too.
import type { Json, JsonObject } from '../../wire/json.ts'

type S3Location = { uri: string; bucketOwner?: string }
type BytesSource = { bytes: string } | { s3Location: S3Location }
type TextBlock = { text: string }
type ImageBlock = { image: { format: 'png' | 'jpeg' | 'gif' | 'webp'; source: BytesSource } }
type DocumentBlock = {
  document: {
    format?: 'pdf' | 'csv' | 'doc' | 'docx' | 'xls' | 'xlsx' | 'html' | 'txt' | 'md'
    name: string
    source: BytesSource | { text: string } | { content: TextBlock[] }
    context?: string
    citations?: { enabled: boolean }
  }
}
type VideoBlock = { video: { format: string; source: BytesSource } }
type AudioBlock = { audio: { format: string; source: BytesSource } }
type SearchResultBlock = {
  searchResult: { source: string; title: string; content: TextBlock[]; citations?: { enabled: boolean } }
}
type GuardBlock = {
  guardContent:
    | { text: { text: string; qualifiers?: ('grounding_source' | 'query' | 'guard_content')[] } }
    | { image: { format: 'png' | 'jpeg'; source: { bytes: string } } }
}

/** Caches everything before it. */
type CachePoint = { cachePoint: { type: 'default'; ttl?: '5m' | '1h' } }

type ReasoningBlock = {
  reasoningContent: { reasoningText: { text: string; signature?: string } } | { redactedContent: string }
}

type DocumentRange = { documentIndex?: number; start?: number; end?: number }
type Citation = {
  title?: string
  source?: string
  sourceContent?: TextBlock[]
  location?:
    | { web: { url?: string; domain?: string } }
    | { documentChar: DocumentRange }
    | { documentPage: DocumentRange }
    | { documentChunk: DocumentRange }
    | { searchResultLocation: { searchResultIndex?: number; start?: number; end?: number } }
}
type CitedBlock = { citationsContent: { content?: TextBlock[]; citations?: Citation[] } }

type ToolUse = { toolUseId: string; name: string; type?: 'server_tool_use' }
type ToolUseBlock = { toolUse: ToolUse & { input: JsonObject } }
type ToolResultContent =
  | TextBlock
  | { json: JsonObject }
  | ImageBlock
  | DocumentBlock
  | VideoBlock
  | SearchResultBlock
type ToolResult = { toolUseId: string; status?: 'success' | 'error'; type?: string }
type ToolResultBlock = { toolResult: ToolResult & { content: ToolResultContent[] } }

type ContentBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | VideoBlock
  | AudioBlock
  | SearchResultBlock
  | GuardBlock
  | CachePoint
  | ReasoningBlock
  | CitedBlock
  | ToolUseBlock
  | ToolResultBlock

type Message = { role: 'user' | 'assistant' | 'system'; content: ContentBlock[] }

type Tool =
  | {
      toolSpec: { name: string; description?: string; inputSchema: { json: JsonObject }; strict?: boolean }
    }
  | { systemTool: { name: string } }
  | CachePoint

type OutputConfig = {
  effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max'
  textFormat?: {
    type: 'json_schema'
    structure: { jsonSchema: { schema: string; name?: string; description?: string } }
  }
}

type ServiceTier = { type: 'default' | 'flex' | 'priority' | 'reserved' }

/** The body of `POST /model/{modelId}/converse` and `/converse-stream`. */
export type BedrockRequest = {
  messages?: Message[]
  system?: (TextBlock | GuardBlock | CachePoint)[]
  inferenceConfig?: { maxTokens?: number; temperature?: number; topP?: number; stopSequences?: string[] }
  toolConfig?: {
    tools: Tool[]
    toolChoice?: { auto: JsonObject } | { any: JsonObject } | { tool: { name: string } }
  }
  guardrailConfig?: {
    guardrailIdentifier?: string
    guardrailVersion?: string
    trace?: 'enabled' | 'disabled' | 'enabled_full'
    streamProcessingMode?: 'sync' | 'async'
  }
  /** Fields of one vendor's models, such as `thinking` of Claude. */
  additionalModelRequestFields?: JsonObject
  /** JSON pointers to fields of the model's own response. */
  additionalModelResponseFieldPaths?: string[]
  promptVariables?: { [name: string]: { text: string } }
  requestMetadata?: { [name: string]: string }
  performanceConfig?: { latency?: 'standard' | 'optimized' }
  serviceTier?: ServiceTier
  outputConfig?: OutputConfig
}

type TokenUsage = {
  inputTokens: number
  outputTokens: number
  totalTokens: number
  cacheReadInputTokens?: number
  cacheWriteInputTokens?: number
  cacheDetails?: { ttl: string; inputTokens: number }[]
}

type StopReason =
  | 'end_turn'
  | 'tool_use'
  | 'max_tokens'
  | 'stop_sequence'
  | 'guardrail_intervened'
  | 'content_filtered'
  | 'malformed_model_output'
  | 'malformed_tool_use'
  | 'model_context_window_exceeded'

/** What is known of an answer when it is complete. */
type AnswerMetadata = {
  usage: TokenUsage
  metrics: { latencyMs: number }
  trace?: JsonObject
  performanceConfig?: { latency?: 'standard' | 'optimized' }
  serviceTier?: ServiceTier
}

/** The body of a response. */
export type BedrockResponse = AnswerMetadata & {
  output: { message: Message }
  stopReason: StopReason
  additionalModelResponseFields?: Json
}

type ContentDelta =
  | TextBlock
  | { toolUse: { input: string } }
  | { toolResult: (TextBlock | { json: JsonObject })[] }
  | { reasoningContent: { text: string } | { signature: string } | { redactedContent: string } }
  | { citation: Citation }
  | { image: { source: BytesSource } }

/** An event of a stream: an object with one key. The names and JSON of the messages of the binary event stream. */
export type BedrockStreamEvent =
  | { messageStart: { role: 'assistant' } }
  | {
      contentBlockStart: {
        contentBlockIndex: number
        start: { toolUse: ToolUse } | { toolResult: ToolResult } | { image: { format: string } }
      }
    }
  | { contentBlockDelta: { contentBlockIndex: number; delta: ContentDelta } }
  | { contentBlockStop: { contentBlockIndex: number } }
  | { messageStop: { stopReason: StopReason; additionalModelResponseFields?: Json } }
  | { metadata: AnswerMetadata }
  | { internalServerException: { message?: string } }
  | {
      modelStreamErrorException: {
        message?: string
        originalStatusCode?: number
        originalMessage?: string
      }
    }
  | { validationException: { message?: string } }
  | { throttlingException: { message?: string } }
  | { serviceUnavailableException: { message?: string } }
