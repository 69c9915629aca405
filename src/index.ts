export {
  type ErrorCode,
  type ErrorDetails,
  InterlinguaError,
  PROVIDER_ERROR_KINDS,
  ProviderError,
  type ProviderErrorDetails,
  type ProviderErrorKind,
} from './errors.ts'
export type { Json, JsonObject, JsonSchema } from './wire/json.ts'

export type { CitedRange, Citation, OpaqueCitation, SourceCitation } from './canonical/model/citation.ts'
export type {
  ArgumentsDeltaEvent,
  ChatEvent,
  ErrorEvent,
  FinishEvent,
  LossEvent,
  MediaDeltaEvent,
  OpaqueEvent,
  PartEndEvent,
  PartStartEvent,
  PartUpdateEvent,
  ReasoningDeltaEvent,
  StartEvent,
  TextDeltaEvent,
  UsageEvent,
} from './canonical/model/event.ts'
export type { Extra } from './canonical/model/extra.ts'
export { type Finish, FINISH_REASONS, type FinishReason } from './canonical/model/message.ts'
export type { Loss, LossAction, LossRule, LossSeverity, Translation } from './canonical/model/loss.ts'
export { summarizeLosses } from './canonical/losses/summary.ts'
export {
  type AssistantMessage,
  type Message,
  type MessageBase,
  type Origin,
  type Role,
  ROLES,
  type SystemMessage,
  type ToolMessage,
  type UserMessage,
} from './canonical/model/message.ts'
export type {
  AssistantPart,
  AudioPart,
  Base64Source,
  CacheHint,
  FilePart,
  IdSource,
  ImagePart,
  JsonPart,
  MediaPart,
  MediaSource,
  OpaquePart,
  Part,
  PartBase,
  PartType,
  ReasoningPart,
  RefusalPart,
  SystemPart,
  TextPart,
  TextSource,
  ToolCallPart,
  ToolPart,
  ToolResultContent,
  ToolResultPart,
  UrlSource,
  UserPart,
  VideoPart,
} from './canonical/model/part.ts'
export {
  type ChatRequest,
  type Effort,
  type LogprobSettings,
  type OutputFormat,
  type ReasoningSettings,
} from './canonical/model/request.ts'
export type { ChatResponse } from './canonical/model/response.ts'
export type { Signature } from './canonical/model/part.ts'
export type { FunctionTool, OpaqueTool, ProviderTool, Tool, ToolChoice } from './canonical/model/tool.ts'
export { addUsage, type Usage } from './canonical/model/usage.ts'

export { stringifyArguments, type CallArguments, parseArguments } from './canonical/build/call-arguments.ts'
export { createId, type IdentityOptions } from './canonical/build/ids-and-timestamps.ts'
export { type MediaInput, mediaTypeOf } from './canonical/build/media.ts'
export {
  assistant,
  type AssistantOptions,
  type ContentInput,
  developer,
  message,
  type MessageOptions,
  rawMessage,
  system,
  toolResults,
  user,
} from './canonical/build/messages.ts'
export {
  audio,
  file,
  image,
  json,
  type MediaOptions,
  type PartOptions,
  reasoning,
  refusal,
  attachSignature,
  text,
  toolCall,
  type ToolCallInput,
  type ToolOutput,
  toolResult,
  video,
} from './canonical/build/parts.ts'

export { digestContent, isSignatureValid } from './canonical/read/content-digest.ts'
export { isMessage, isMessageLike, isPart, isRole, isSystemRole } from './canonical/read/type-guards.ts'
export {
  isComposite,
  isEmptyContent,
  isEmptyMessage,
  isEmptyPart,
  sameContent,
} from './canonical/read/content-checks.ts'
export {
  describeCall,
  messageKind,
  type MessageKind,
  reasoningOf,
  textOf,
  toolCallsOf,
  toolResultsOf,
} from './canonical/read/message-content.ts'

export { getExtra, hasExtra, withExtra, withoutExtra } from './canonical/model/extra.ts'
export { addContent, updateMessage, type MessageChanges, withRole } from './canonical/update/message.ts'
export { updatePart, withArguments } from './canonical/update/part.ts'

export {
  parseMessage,
  parseMessages,
  type ParseOptions,
  parsePart,
  parseRequest,
  parseResponse,
  parseToolCall,
} from './canonical/parse/parse.ts'
export { parseRole } from './canonical/parse/message.ts'

export {
  type InputOptions,
  type MessageInput,
  toMessage,
  type MessageConvertible,
  toMessages,
  type MessagesConvertible,
} from './canonical/collections/message-input.ts'
export { getItem, hasItem, removeItem, setItem } from './canonical/collections/keyed-items.ts'
export { MessageStore, type Section, type MessageStoreJson } from './canonical/collections/message-store.ts'
export { Messages } from './canonical/collections/messages.ts'
export { type MessageRenderer, renderMessages } from './canonical/collections/render-template.ts'
export type { ParameterOperator, SectionOperator } from './canonical/collections/store-operators.ts'
export type { ToTextOptions } from './canonical/read/content-checks.ts'

export { repair, type RepairOptions } from './canonical/check/repair.ts'
export type { Problem, Repair, Rule, RuleTarget } from './canonical/check/rule.ts'
export { baseRules } from './canonical/check/validate.ts'
export { sanitize } from './canonical/check/sanitize.ts'
export type { SanitizePolicy } from './canonical/check/sanitize-policy.ts'
export { validate } from './canonical/check/validate.ts'

export { storedSchema } from './canonical/stored/stored-schema.ts'
export {
  fromJson,
  type StoredForm,
  STORED_VERSION,
  type ToJsonOptions,
  type StoredKind,
  type StoredValues,
  toJson,
} from './canonical/stored/stored-form.ts'

export type { AnthropicRequest, AnthropicResponse, AnthropicStreamEvent } from './dialects/anthropic/wire.ts'
export type {
  DecodeOptions,
  Dialect,
  DialectName,
  EncodeOptions,
  Endpoint,
  Flavor,
} from './dialects/engine/dialect.ts'
export type { WireRequest, WireResponse } from './dialects/dialect-types.ts'
export type { GeminiRequest, GeminiResponse } from './dialects/gemini/wire.ts'
export type { OllamaChunk, OllamaRequest, OllamaResponse } from './dialects/ollama/wire.ts'
export type { OpenAIChatChunk, OpenAIChatRequest, OpenAIChatResponse } from './dialects/openai-chat/wire.ts'
export type {
  OpenAIResponsesRequest,
  OpenAIResponsesResponse,
  OpenAIResponsesStreamEvent,
} from './dialects/openai-responses/wire.ts'
export { dialects } from './dialects/dialects.ts'
export {
  type TranslatedStream,
  type TranslateOptions,
  translateRequest,
  translateResponse,
  translateStream,
} from './dialects/translate.ts'
export { accumulate, StreamError, toText } from './canonical/stream/accumulate.ts'
export { toEvents } from './canonical/stream/to-events.ts'
export { detect, type Detection } from './dialects/engine/detect.ts'
export type { Capabilities } from './canonical/model/capabilities.ts'
export type { HeaderSource } from './dialects/engine/dialect.ts'

export { fitSchema, type FittedSchema } from './schema/fit-schema.ts'
export { stripStrictNulls } from './schema/strip-strict-nulls.ts'
export { type SchemaSource, toJsonSchema } from './schema/schema-source.ts'
export type { StandardIssue, StandardResult, StandardSchema } from './schema/schema-source.ts'
export type { SchemaTarget } from './schema/schema-subsets.ts'
export { type SchemaIssue, validateValue, type Validation } from './schema/validate-value.ts'
