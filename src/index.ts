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
export { type Finish, FINISH_REASONS, type FinishReason } from './canonical/model/finish.ts'
export type { Loss, LossAction, LossRule, LossSeverity, Translated } from './canonical/model/loss.ts'
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
export type { Signature } from './canonical/model/signature.ts'
export type { FunctionTool, OpaqueTool, ProviderTool, Tool, ToolChoice } from './canonical/model/tool.ts'
export { addUsage, type Usage } from './canonical/model/usage.ts'

export { argumentsText, type CallArguments, readArguments } from './canonical/build/arguments.ts'
export { createId, type IdentityOptions } from './canonical/build/identity.ts'
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
  sign,
  text,
  toolCall,
  type ToolCallInput,
  type ToolOutput,
  toolResult,
  video,
} from './canonical/build/parts.ts'

export { digestOf, signatureHolds } from './canonical/read/digest.ts'
export { isMessage, isMessageLike, isPart, isRole, isSystemRole } from './canonical/read/guards.ts'
export {
  isComposite,
  isEmptyContent,
  isEmptyMessage,
  isEmptyPart,
  sameContent,
} from './canonical/read/state.ts'
export {
  describeCall,
  kindOf,
  type MessageKind,
  reasoningOf,
  textOf,
  toolCallsOf,
  toolResultsOf,
} from './canonical/read/text.ts'

export { getExtra, hasExtra, withExtra, withoutExtra } from './canonical/edit/extra.ts'
export { addContent, edit, type MessageChanges, withRole } from './canonical/edit/message.ts'
export { editPart, withArguments } from './canonical/edit/part.ts'

export {
  parseMessage,
  parseMessages,
  type ParseOptions,
  parsePart,
  parseRequest,
  parseResponse,
  parseToolCall,
} from './canonical/parse/parse.ts'
export { parseRole } from './canonical/parse/role.ts'

export {
  type InputOptions,
  type MessageInput,
  toMessage,
  type ToMessage,
  toMessages,
  type ToMessages,
} from './canonical/collections/input.ts'
export { getItem, hasItem, removeItem, setItem } from './canonical/collections/items.ts'
export { MessageStore, type Section, type StoreJson } from './canonical/collections/message-store.ts'
export { Messages } from './canonical/collections/messages.ts'
export { type MessageRenderer, renderMessages } from './canonical/collections/render.ts'
export type { ParameterOperator, SectionOperator } from './canonical/collections/store-operators.ts'
export type { TextOptions } from './canonical/collections/text.ts'

export { repair, type RepairOptions } from './canonical/check/repair.ts'
export type { Problem, Repair, Rule, RuleTarget } from './canonical/check/rule.ts'
export { conversationRules } from './canonical/check/rules.ts'
export { sanitize } from './canonical/check/sanitize.ts'
export type { SanitizePolicy } from './canonical/check/policy.ts'
export { validate } from './canonical/check/validate.ts'

export { storedSchema } from './canonical/stored/schema.ts'
export {
  fromJson,
  type Stored,
  STORED_VERSION,
  type StoreOptions,
  type StoredKind,
  type StoredValues,
  toJson,
} from './canonical/stored/stored.ts'

export type { AnthropicRequest, AnthropicResponse, AnthropicStreamEvent } from './dialects/anthropic/wire.ts'
export type {
  DecodeOptions,
  Dialect,
  DialectName,
  EncodeOptions,
  Endpoint,
  Flavor,
  WireRequest,
  WireResponse,
} from './dialects/dialect.ts'
export type { GeminiRequest, GeminiResponse } from './dialects/gemini/wire.ts'
export type { OllamaChunk, OllamaRequest, OllamaResponse } from './dialects/ollama/wire.ts'
export type { OpenAIChatChunk, OpenAIChatRequest, OpenAIChatResponse } from './dialects/openai-chat/wire.ts'
export type {
  OpenAIResponsesRequest,
  OpenAIResponsesResponse,
  OpenAIResponsesStreamEvent,
} from './dialects/openai-responses/wire.ts'
export {
  dialects,
  type TranslatedStream,
  type TranslateOptions,
  translateRequest,
  translateResponse,
  translateStream,
} from './dialects/translate.ts'
export { accumulate, StreamError, toText } from './canonical/stream/accumulate.ts'
export { emit } from './canonical/stream/emit.ts'
export { detect, type Detected } from './dialects/detect.ts'
export type { Capabilities } from './dialects/models.ts'
export type { HeaderSource } from './dialects/shared/errors.ts'

export { fitSchema, type FittedSchema } from './schema/fit.ts'
export { restore } from './schema/restore.ts'
export { type SchemaSource, toJsonSchema } from './schema/source.ts'
export type { StandardIssue, StandardResult, StandardSchema } from './schema/standard.ts'
export type { SchemaTarget } from './schema/targets.ts'
export { type SchemaIssue, validateWith, type Validation } from './schema/validate.ts'
