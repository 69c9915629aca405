// The bodies of Amazon Bedrock's Converse API in JSON. Sources: the service model in @aws-sdk/client-bedrock-runtime 3.1162.
// Unions have one key each; `one-member` of the strict double checks that.
interface S3Location {
  uri: string
  bucketOwner?: string
}
interface BytesSource {
  bytes?: string
  s3Location?: S3Location
}
interface ErrorBlock {
  message?: string
}
interface TextOnly {
  text?: string
}
interface ImageBlock {
  format: 'png' | 'jpeg' | 'gif' | 'webp'
  source: BytesSource
  error?: ErrorBlock
}
interface CitationsConfig {
  enabled: boolean
}
interface DocumentBlock {
  name: string
  source: BytesSource & { text?: string; content?: TextOnly[] }
  format?: 'pdf' | 'csv' | 'doc' | 'docx' | 'xls' | 'xlsx' | 'html' | 'txt' | 'md'
  context?: string
  citations?: CitationsConfig
}
interface VideoBlock {
  format: 'mkv' | 'mov' | 'mp4' | 'webm' | 'flv' | 'mpeg' | 'mpg' | 'wmv' | 'three_gp'
  source: BytesSource
}
interface AudioBlock {
  format:
    | 'mp3'
    | 'opus'
    | 'wav'
    | 'aac'
    | 'flac'
    | 'mp4'
    | 'ogg'
    | 'mkv'
    | 'mka'
    | 'x-aac'
    | 'm4a'
    | 'mpeg'
    | 'mpga'
    | 'pcm'
    | 'webm'
  source: BytesSource
  error?: ErrorBlock
}
interface SearchResultBlock {
  source: string
  title: string
  content: { text: string }[]
  citations?: CitationsConfig
}
interface GuardBlock {
  text?: { text: string; qualifiers?: ('grounding_source' | 'query' | 'guard_content')[] }
  image?: { format: 'png' | 'jpeg'; source: { bytes?: string } }
}
interface CachePoint {
  type: 'default'
  ttl?: '5m' | '1h'
}
interface Range {
  documentIndex?: number
  start?: number
  end?: number
}
interface Citation {
  title?: string
  source?: string
  sourceContent?: TextOnly[]
  location?: {
    web?: { url?: string; domain?: string }
    documentChar?: Range
    documentPage?: Range
    documentChunk?: Range
    searchResultLocation?: { searchResultIndex?: number; start?: number; end?: number }
  }
}
interface ToolUse {
  toolUseId: string
  name: string
  type?: string
}
interface ToolResult {
  toolUseId: string
  status?: 'success' | 'error'
  type?: string
}
interface ToolResultContent {
  json?: unknown
  text?: string
  image?: ImageBlock
  document?: DocumentBlock
  video?: VideoBlock
  searchResult?: SearchResultBlock
}
interface ToolReference {
  tool: { type?: string; name?: string; serverName?: string }
}
interface ContentBlock {
  text?: string
  image?: ImageBlock
  document?: DocumentBlock
  video?: VideoBlock
  audio?: AudioBlock
  toolUse?: ToolUse & { input: { [key: string]: unknown } }
  toolResult?: ToolResult & { content: ToolResultContent[] }
  guardContent?: GuardBlock
  cachePoint?: CachePoint
  reasoningContent?: { reasoningText?: { text: string; signature?: string }; redactedContent?: string }
  citationsContent?: { content?: TextOnly[]; citations?: Citation[] }
  searchResult?: SearchResultBlock
  toolAddition?: ToolReference
  toolRemoval?: ToolReference
}
interface Message {
  role: 'user' | 'assistant' | 'system'
  content: ContentBlock[]
}
interface Tool {
  toolSpec?: {
    name: string
    inputSchema: { json?: { [key: string]: unknown } }
    description?: string
    strict?: boolean
  }
  systemTool?: { name: string }
  cachePoint?: CachePoint
}
interface ServiceTier {
  type: 'default' | 'flex' | 'priority' | 'reserved'
}
interface PerformanceConfig {
  latency?: 'standard' | 'optimized'
}

export interface BedrockRequest {
  messages?: Message[]
  system?: { text?: string; guardContent?: GuardBlock; cachePoint?: CachePoint }[]
  inferenceConfig?: { maxTokens?: number; temperature?: number; topP?: number; stopSequences?: string[] }
  toolConfig?: {
    tools: Tool[]
    toolChoice?: {
      auto?: { [key: string]: unknown }
      any?: { [key: string]: unknown }
      tool?: { name: string }
    }
  }
  guardrailConfig?: {
    guardrailIdentifier?: string
    guardrailVersion?: string
    trace?: 'enabled' | 'disabled' | 'enabled_full'
    streamProcessingMode?: 'sync' | 'async'
  }
  additionalModelRequestFields?: { [key: string]: unknown }
  promptVariables?: { [name: string]: TextOnly }
  additionalModelResponseFieldPaths?: string[]
  requestMetadata?: { [name: string]: string }
  performanceConfig?: PerformanceConfig
  serviceTier?: ServiceTier
  outputConfig?: {
    effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max'
    textFormat?: {
      type: 'json_schema'
      structure: { jsonSchema?: { schema: string; name?: string; description?: string } }
    }
  }
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

interface Metadata {
  usage: {
    inputTokens: number
    outputTokens: number
    totalTokens: number
    cacheReadInputTokens?: number
    cacheWriteInputTokens?: number
    cacheDetails?: { ttl: string; inputTokens: number }[]
  }
  metrics: { latencyMs: number }
  trace?: { [key: string]: unknown }
  performanceConfig?: PerformanceConfig
  serviceTier?: ServiceTier
}

export interface BedrockResponse extends Metadata {
  output: { message?: Message }
  stopReason: StopReason
  additionalModelResponseFields?: unknown
}

interface Exception {
  message?: string
}
interface Delta {
  text?: string
  toolUse?: { input: string }
  toolResult?: { text?: string; json?: unknown }[]
  reasoningContent?: { text?: string; redactedContent?: string; signature?: string }
  citation?: Citation
  image?: { source?: BytesSource; error?: ErrorBlock }
}

export interface BedrockStreamEvent {
  messageStart?: { role: 'assistant' }
  contentBlockStart?: {
    start: { toolUse?: ToolUse; toolResult?: ToolResult; image?: { format: string } }
    contentBlockIndex: number
  }
  contentBlockDelta?: { delta: Delta; contentBlockIndex: number }
  contentBlockStop?: { contentBlockIndex: number }
  messageStop?: { stopReason: StopReason; additionalModelResponseFields?: unknown }
  metadata?: Metadata
  internalServerException?: Exception
  modelStreamErrorException?: Exception & { originalStatusCode?: number; originalMessage?: string }
  validationException?: Exception
  throttlingException?: Exception
  serviceUnavailableException?: Exception
}
