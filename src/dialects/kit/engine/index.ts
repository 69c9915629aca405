// The package entry `interlingua/dialects/kit/engine`: what the built-in dialects import. It may change in minor versions.
export type { ReceivedBody } from '../../engine/check-body.ts'
export {
  createFallback,
  createHostedToolFallback,
  createMediaFallback,
  createMediaText,
  createReasoningFallback,
  type FallbackPart,
  keepsLaterSystem,
} from '../../engine/content-fallback.ts'
export {
  type ConversationRemainder,
  type ConversationWriter,
  MESSAGES_PATH,
} from '../../engine/conversation-encoder.ts'
export { defaultKindRows } from '../../engine/default-errors.ts'
export type { DialectCodec } from '../../engine/define-dialect.ts'
export type { FlavorNamesByDialect } from '../../engine/dialect.ts'
export { createNoReport, noReport } from '../../engine/encode-context.ts'
export {
  createMissingModelError,
  encodeModelSegment,
  encodeRequest,
  getModelName,
  type RequestWriter,
} from '../../engine/encode-request.ts'
export { createErrorCodec } from '../../engine/error-codec.ts'
export { eventStreamFraming } from '../../engine/event-stream-framing.ts'
export { getModelVendor } from '../../engine/model-vendors.ts'
export { toSafeText } from '../../engine/safe-text.ts'
export { createAcceptedByModelHint, fitRequestToFacts } from '../../engine/fit-request-to-model.ts'
export { createUserIdHint, type UserIdRule } from '../../engine/fit-user-id.ts'
export { pushAll } from '../../engine/frame-reader-writer.ts'
export type { ContentBoundKeys, StreamReader, StreamWriter } from '../../engine/frame-reader-writer.ts'
export type { HostedPairConverter } from '../../engine/hosted-answers.ts'
export { joinEach, joinLists } from '../../engine/join-lists.ts'
export { type AppliedFacts, createUnknownFactUse, getModelFacts } from '../../engine/model-facts.ts'
export { defineOwnFlavor, findFlavor, type OwnFlavor } from '../../engine/own-flavors.ts'
export {
  createCandidateField,
  createCandidatePath,
  createPartKey,
  createPartPath,
  createTextDelta,
  MovedPartDetector,
  PartBeingWritten,
  type PartEvent,
  type PartKey,
} from '../../engine/parts-being-written.ts'
export { getPlainText, PlainTextEncoder } from '../../engine/plain-text-encoder.ts'
export { preserveInvalidToolPairing } from '../../engine/preserve-invalid.ts'
export {
  CACHE_CONTROL_FIELD,
  type CacheMarking,
  countCacheHints,
  hasBlockContent,
  markLastBlock,
} from '../../engine/prompt-cache-marking.ts'
export { isMarkedForeign } from '../../engine/reasoning-filter.ts'
export type {
  CallIdHint,
  EngineHint,
  MediaHint,
  PropertyKeyHint,
  ReasoningItemHint,
  SchemaHint,
  StrictNullHint,
  ToolNameHint,
} from '../../engine/residue-hints.ts'
export {
  addHints,
  applyResidue,
  attachResidue,
  createHintExtra,
  defineHints,
  getContentBoundResidue,
  getHints,
  hasChangedKey,
  type Slot,
  toSlot,
  withHints,
  withResidue,
} from '../../engine/residue-slots.ts'
export {
  createStopCountHint,
  decodeDirectSettings,
  encodeDirectSettings,
  hasMediaField,
  hasNonDefaultSetting,
  limitStopSequences,
  reportUnsupportedSettings,
  type ToolChoiceForm,
  unsupportedOpenaiSettings,
} from '../../engine/setting-tables.ts'
export {
  bindContent,
  createContentBoundKeys,
  createStaleLogprobsRules,
  listTexts,
} from '../../engine/stream-bound-keys.ts'
export type { HostStreamForm } from '../../engine/stream-codec.ts'
export { sseOrJsonArrayFraming } from '../../engine/stream-framing.ts'
export { type PartWithDeltas, StreamPlanner, type WireEventPlan } from '../../engine/stream-planner.ts'
export { type CallHintsOfTool, createToolCallForms } from '../../engine/tool-call-forms.ts'
export type { MessageWithPath } from '../../engine/tool-pairing.ts'
export { type BlockContent, type BlockStreamFormat, BlockStreamPlan } from '../../shared/block-stream-plan.ts'
export {
  type CallIdGenerator,
  type CallIdRule,
  createCallIdGenerator,
  createCallIdHint,
  encodeAnsweredId,
  encodeCallId,
  isValidCallId,
} from '../../shared/call-ids.ts'
export { ChatCandidateReader } from '../../shared/chat-candidate-reader.ts'
export { ChatChunkWriter } from '../../shared/chat-chunk-writer.ts'
export { ChatCandidatePlan, ChatStreamPlanner } from '../../shared/chat-stream-plan.ts'
export {
  type ChatResponseCodec,
  type ChatResponseFormat,
  createChatResponseCodec,
  decodeChatMetadata,
} from '../../shared/chat-response.ts'
export { createChatStreamReader } from '../../shared/chat-stream-reader.ts'
export {
  createSchemaHint,
  createStrictFitter,
  describeOutputSchema,
  encodeSchema,
  fitAndReport,
  fitOpenaiOutput,
  fitOpenaiTool,
  reportEnforcedOutput,
  type RequestedSchema,
  type SchemaFitter,
  type SchemaLocation,
} from '../../shared/fit-schemas.ts'
export { encodeFreeTextPiece, FREE_TEXT_JSON_END, FreeTextReader } from '../../shared/free-text-json.ts'
export {
  decodeGoogleData,
  decodeGoogleUri,
  GOOGLE_VENDOR,
  googleToolNameRule,
  MAX_STOP_SEQUENCES,
  PLACEHOLDER_SIGNATURE,
} from '../../shared/google-common.ts'
export { decodeGoogleUsage, encodeGoogleUsage, type GoogleUsageKeys } from '../../shared/google-usage.ts'
export { getPlainToolName, toHostedTool } from '../../shared/hosted-tools.ts'
export { readHostedUse } from '../../shared/hosted-uses.ts'
export { type PartWithPath, readItemTexts, ReasoningItemCodec } from '../../shared/item-reasoning.ts'
export { limitCacheMarkers } from '../../shared/limit-cache-markers.ts'
export { hasMediaData, isSendableMedia, isWebAddress } from '../../shared/media-sources.ts'
export { decodeGroupingToolResults, encodeToolMessage } from '../../shared/message-per-tool-result.ts'
export {
  createOpaqueMessage,
  createOpaquePart,
  encodeOpaque,
  finishDecodedPart,
  getOpaqueMessage,
} from '../../shared/opaque-content.ts'
export { OpenCalls } from '../../shared/open-calls.ts'
export {
  chatOutputSettings,
  createOpenaiFactUse,
  decodeChatOutput,
  decodeLogprobSettings,
  decodeOpenaiOutput,
  effortSettings,
  encodeChatOutput,
  encodeLogprobSettings,
  encodeOpenaiOutput,
  limitTemperature,
  openaiErrorKindRows,
  openaiUserIdRule,
} from '../../shared/openai-common.ts'
export { createMediaHint, encodeFileName, isAcceptedMedia } from '../../shared/openai-media.ts'
export {
  addNamespaceToName,
  decodeGrammar,
  isTextTool,
  removeNamespaceFromName,
  reportUnusedTextInput,
  toPlainFunctions,
} from '../../shared/plain-functions.ts'
export {
  collectOriginalPropertyKeys,
  createPropertyKeyHint,
  encodeArgumentKeys,
  type OriginalPropertyKeys,
  restoreArgumentKeys,
} from '../../shared/property-keys.ts'
export {
  convertSecondsToIso,
  createAssistantMessage,
  createFinishEncoder,
  createMetadataWithoutModel,
  createResponseMetadata,
  decodeFinishReason,
  encodeFinishOrDefault,
  encodeRequiredFinish,
  type FinishEncodeInput,
  type FinishEncoder,
  getStoppedMessage,
  readNestedCount,
  reportDroppedCandidates,
  type ResponseMetadata,
} from '../../shared/response-metadata.ts'
export { digestSettings } from '../../shared/settings-digest.ts'
export { StreamArgumentsReader } from '../../shared/stream-arguments.ts'
export { createCallNullStripper, createNullStripper, restoreNulls } from '../../shared/strict-nulls.ts'
export { markPrefix } from '../../shared/answer-prefix.ts'
export {
  decodeArguments,
  decodeTextInput,
  encodeObjectArguments,
  noArgumentsSchema,
  textInputSchema,
} from '../../shared/tool-arguments.ts'
export {
  createFunctionTool,
  createRepeatReporter,
  createToolDecoder,
  encodeToolList,
  preserveRepeatedTools,
  requiresTools,
  withholdTools,
} from '../../shared/tool-list.ts'
export {
  collectOriginalToolNames,
  createAcceptedChoiceHint,
  createToolNameHint,
  encodeToolName,
  fitToolName,
  listCalledToolNames,
  type OriginalToolNames,
  readToolName,
  restoreToolName,
  type ToolNameRule,
} from '../../shared/tool-names.ts'
export { TurnWriter, type TurnWriterOptions, type UndecodedTurn } from '../../shared/turn-writer.ts'
export { reportUnsupportedFields } from '../../shared/unsupported-fields.ts'
export {
  createCallIdRule,
  createToolNameRule,
  nonBlankTextRule,
  OPENING_USER_TEXT,
  userFirstRule,
} from '../../shared/validation-rules.ts'
export { generateId } from '../../../canonical/build/ids-and-timestamps.ts'
export { detectMediaType, inlineDataUrl, toUrlSource } from '../../../canonical/build/media.ts'
export { CachedMessageFold } from '../../../canonical/collections/prefix-fold.ts'
export type { DialectLossRule } from '../../../canonical/losses/catalog.ts'
export type { RefusableSetting } from '../../../canonical/model/capabilities.ts'
export { EFFORTS } from '../../../canonical/model/request.ts'
export { toComparableContent } from '../../../canonical/read/content-digest.ts'
export { isApplicationCall, isMediaPart } from '../../../canonical/read/message-content.ts'
export { PartAccumulator } from '../../../canonical/stream/part-accumulator.ts'
export { canReadReasoning, isReasoningBound } from '../../../models/bound-reasoning.ts'
export type { ModelVendor } from '../../../models/model-family.ts'
export { mapSubschemas, someSchema } from '../../../schema/map-subschemas.ts'
export { audioFormatTable } from '../../../wire/audio-formats.ts'
export { fromBase64, parseBase64DataUrl, toBase64, toDataUrl } from '../../../wire/base64.ts'
export { digestJson, digestText } from '../../../wire/digest.ts'
export { freezeOwned } from '../../../wire/frozen-json.ts'
export { withTypedErrors } from '../../../wire/internal-error.ts'
export { createJsonKeyRewriter, type JsonKeyRewriter } from '../../../wire/json-key-rewriter.ts'
export { child, type Path } from '../../../wire/json-pointer.ts'
export {
  getBlockText,
  getOwnValue,
  isEmptyObject,
  isEqualJson,
  isList,
  isObject,
  isSafeInteger,
  itemsOf,
  omitUndefined,
  readStringOrEmpty,
  setKey,
  tryParseJson,
} from '../../../wire/json.ts'
export { getMediaTypeOfName, normalizeMediaType } from '../../../wire/media-type.ts'
export { encodePathSegment } from '../../../wire/path-segment.ts'
export {
  fillPlaceholders,
  type RepeatableValues,
  replaceRepeatsByPlaceholders,
} from '../../../wire/repeated-values.ts'
export type { AliasesByKey, Hints } from '../../../wire/residue.ts'
export { shareSchema } from '../../../wire/share-schema.ts'
export { formatSseEvent } from '../../../wire/sse.ts'
export { createLimitError, resolveStreamLimits, type StreamLimits } from '../../../wire/stream-limits.ts'
export { createTwoWayTable, type TwoWayTable } from '../../../wire/two-way-table.ts'
export { getUtf8Offsets, Utf8Offsets } from '../../../wire/utf8-offsets.ts'
export { claudePropertyKeyRule, fitClaudeInputSchema } from '../../shared/claude-tools.ts'
