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
  RetryEvent,
  RetryInfo,
  StartEvent,
  TextDeltaEvent,
  UsageEvent,
} from './canonical/model/event.ts'
export type { ApprovalRequestEvent, RunEvent, ToolProgressEvent } from './canonical/model/event.ts'
export type { Extra } from './canonical/model/extra.ts'
export { type Finish, FINISH_REASONS, type FinishReason } from './canonical/model/message.ts'
export type { Loss, LossAction, LossRule, LossSeverity, Translation } from './canonical/model/loss.ts'
export { groupLosses, type LossGroup, summarizeLosses } from './canonical/losses/loss-summary.ts'
export {
  type AssistantMessage,
  type Message,
  type MessageList,
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
  type Verbosity,
} from './canonical/model/request.ts'
export type { ChatResponse } from './canonical/model/response.ts'
export type { Signature } from './canonical/model/part.ts'
export type {
  FunctionTool,
  OpaqueTool,
  ProviderTool,
  Tool,
  ToolChoice,
  ToolGrammar,
  ToolNamespace,
  ToolTextInput,
} from './canonical/model/tool.ts'
export { addUsage, type Usage } from './canonical/model/usage.ts'

export { createId, type IdentityOptions } from './canonical/build/ids-and-timestamps.ts'
export { type MediaInput } from './canonical/build/media.ts'
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
  text,
  toolCall,
  type ToolCallInput,
  type ToolOutput,
  toolResult,
  video,
} from './canonical/build/parts.ts'

export { isPlainText, sameContent } from './canonical/read/content-checks.ts'
export {
  describeCall,
  messageKind,
  type MessageKind,
  reasoningOf,
  textOf,
  toolCallsOf,
  toolResultsOf,
} from './canonical/read/message-content.ts'

export { addContent, updateMessage, type MessageChanges, withRole } from './canonical/update/message.ts'
export { updatePart, withArguments } from './canonical/update/part.ts'

export {
  type InputOptions,
  type MessageInput,
  toMessage,
  type MessageConvertible,
  toMessages,
  type MessagesConvertible,
} from './canonical/collections/message-input.ts'
export { MessageStore, type Section, type MessageStoreJson } from './canonical/collections/message-store.ts'
export { Messages } from './canonical/collections/messages.ts'
export { type MessageRenderer, renderMessages } from './canonical/collections/render-messages.ts'
export type { ParameterOperator, SectionOperator } from './canonical/collections/store-operators.ts'
export type { ToTextOptions } from './canonical/read/content-checks.ts'

export { repair, type RepairOptions } from './canonical/check/repair.ts'
export type { Problem, Repair, Rule, RuleTarget } from './canonical/check/validation-rule.ts'
export { baseRules } from './canonical/check/validate.ts'
export { sanitize } from './canonical/check/sanitize.ts'
export type { SanitizePolicy } from './canonical/check/sanitize-policy.ts'
export {
  CLIENT_SETTINGS,
  type RequestSetting,
  sanitizeRequest,
  type SanitizeRequestPolicy,
} from './canonical/check/sanitize-request.ts'
export { validate } from './canonical/check/validate.ts'

export {
  fromJson,
  type StoredForm,
  type ToJsonOptions,
  type StoredKind,
  type StoredValues,
  toJson,
} from './canonical/stored/stored-form.ts'

export type {
  DecodeOptions,
  Dialect,
  DialectName,
  EncodedStream,
  EncodeOptions,
  Endpoint,
  Flavor,
} from './dialects/engine/dialect.ts'
export type {
  ForeignReasoningAction,
  UnsupportedAction,
  UnsupportedPolicy,
} from './dialects/engine/unsupported-policy.ts'
export type { WireRequest, WireResponse } from './dialects/dialect-types.ts'
export { dialects } from './dialects/dialects.ts'
export type { DialectRegistry } from './dialects/resolve-dialect.ts'
export {
  type EventTransform,
  type TranslateOptions,
  type TranslateStreamOptions,
  translateRequest,
  translateResponse,
  translateStream,
} from './dialects/translate.ts'
export { accumulate, StreamError, toText } from './canonical/stream/accumulate.ts'
export { toEvents } from './canonical/stream/to-events.ts'
export { detect, type Detection, type DetectOptions } from './dialects/engine/detect.ts'
export type { Capabilities } from './canonical/model/capabilities.ts'
export type { HeaderSource } from './dialects/engine/dialect.ts'
