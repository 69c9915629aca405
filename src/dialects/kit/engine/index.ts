// The package entry `interlingua/dialects/kit/engine`: what the built-in dialects import. It may change in minor versions.
export type { ReceivedBody } from '../../engine/check-received-body.ts'
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
export type { FlavorNamesByDialect } from '../../engine/flavor-names.ts'
export { ElementText, type WrittenElement } from '../../engine/element-text.ts'
export { createNoReport, noReport, toBodyValue } from '../../engine/encode-context.ts'
export {
  buildRequestBody,
  createMissingModelError,
  encodeModelSegment,
  encodeRequest,
  getModelName,
  type NamedRequestWriter,
  prepareRequest,
  type RequestWriter,
} from '../../engine/encode-request.ts'
export { createErrorCodec } from '../../engine/error-codec.ts'
export { awsEventStreamFraming } from '../../engine/aws-event-stream-framing.ts'
export { getModelVendor } from '../../engine/model-facts.ts'
export { toSafeText } from '../../engine/safe-text.ts'
export { createAcceptedByModelHint, fitRequestToFacts } from '../../engine/fit-request-to-model.ts'
export { createUserIdHint, type UserIdRule } from '../../engine/fit-user-id.ts'
export { pushAll } from '../../engine/frame-reader-writer.ts'
export type { ContentBoundKeys, StreamReader, StreamWriter } from '../../engine/frame-reader-writer.ts'
export type { HostedPairConverter } from '../../engine/convert-hosted-answers.ts'
export { joinEach, joinLists } from '../../engine/join-lists.ts'
export { MessageTemplates } from '../../engine/message-templates.ts'
export { type AppliedFacts, createUnknownFactUse, getModelFacts } from '../../engine/model-facts.ts'
export { registerFlavor, findFlavor, type RegisteredFlavor } from '../../engine/flavor-registry.ts'
export { createCandidateField, createCandidatePath, createPartKey } from '../../engine/parts-being-written.ts'
export { createPartPath, createTextDelta, MovedPartDetector } from '../../engine/parts-being-written.ts'
export { PartBeingWritten, type PartEvent, type PartKey } from '../../engine/parts-being-written.ts'
export { getTextOfPlainMessage } from '../../engine/plain-text-encoder.ts'
export { preserveInvalidToolPairing } from '../../engine/preserve-invalid-pairing.ts'
export {
  CACHE_CONTROL_FIELD,
  type CacheMarking,
  countCacheHints,
  hasBlockContent,
  markLastBlock,
} from '../../engine/prompt-cache-marking.ts'
export { isMarkedForeign } from '../../engine/reasoning-filter.ts'
export {
  type CallIdHint,
  type EngineHint,
  type MediaHint,
  type PropertyKeyHint,
  type ReasoningItemHint,
  type SchemaHint,
  type StrictNullHint,
  type ToolNameHint,
} from '../../engine/residue-hints.ts'
export { addHints, applyResidue, attachResidue, createHintExtra } from '../../engine/residue-slots.ts'
export { defineHints, getContentBoundResidue, getHints, getReceived } from '../../engine/residue-slots.ts'
export { hasChangedKey, type Slot, defineSlot, withHints, withResidue } from '../../engine/residue-slots.ts'
export {
  createStopCountHint,
  decodeDirectSettings,
  decodeStopSequences,
} from '../../engine/setting-tables.ts'
export { encodeDirectSettings, hasMediaField, hasNonDefaultSetting } from '../../engine/setting-tables.ts'
export { limitStopSequences, reportUnsupportedSettings } from '../../engine/setting-tables.ts'
export { type ToolChoiceForm, unsupportedOpenaiSettings } from '../../engine/setting-tables.ts'
export type { SimpleMessage } from '../../engine/simple-message-reader.ts'
export {
  bindContent,
  createContentBoundKeys,
  createStaleLogprobsRules,
  listGeneratedTexts,
} from '../../engine/content-bound-keys.ts'
export type { HostStreamForm } from '../../engine/stream-codec.ts'
export { sseOrJsonArrayFraming } from '../../engine/stream-framing.ts'
export { type PartWithDeltas, StreamPlanner, type WireEventPlan } from '../../engine/stream-planner.ts'
export { type CallHintsOfTool, createToolCallForms } from '../../engine/tool-call-forms.ts'
export type { MessageWithPath } from '../../engine/tool-pairing.ts'
export type { BodyKind } from '../../engine/unsupported-policy.ts'
export type { BlockContent, BlockStreamFormat } from '../../shared/content-block-stream-format.ts'
export { ContentBlockStreamPlan } from '../../shared/content-block-stream-plan.ts'
export {
  type CallIdGenerator,
  type CallIdRule,
  createCallIdGenerator,
  createCallIdHint,
  encodeAnsweredId,
  encodeCallId,
  isValidCallId,
} from '../../shared/call-ids.ts'
export { type BlockRun, createRunMessage, createTurnHints } from '../../shared/block-turns.ts'
export { type DecodedTurn, decodeUsualTurn, type TurnRole, splitTurn } from '../../shared/block-turns.ts'
export { ChatCandidateReader } from '../../shared/chat-candidate-reader.ts'
export { ChatChunkWriter } from '../../shared/chat-chunk-writer.ts'
export { ChatCandidatePlan, ChatStreamPlanner } from '../../shared/chat-stream-plan.ts'
export {
  type ChatResponseFormat,
  createChatResponseCodec,
  decodeChatMetadata,
} from '../../shared/chat-response.ts'
export {
  createResponse,
  createSingleResponseCodec,
  type ResponseCodec,
} from '../../shared/single-response.ts'
export { type BlockFragment, BlockTurnWriter, createBlockFragment } from '../../shared/block-turn-writer.ts'
export { createBlockTurnOptions, encodeLaterTurn } from '../../shared/block-turn-writer.ts'
export { reportTurnFields } from '../../shared/block-turn-writer.ts'
export { decodeThinking, encodeThinking } from '../../shared/claude-thinking.ts'
export { createChatStreamReader } from '../../shared/chat-stream-reader.ts'
export {
  createSchemaHint,
  createStrictFitter,
  describeOutputSchema,
  encodeInputSchema,
} from '../../shared/fit-schemas.ts'
export { encodeSchema, fitAndReport, fitOpenaiOutput, fitOpenaiTool } from '../../shared/fit-schemas.ts'
export { reportEnforcedOutput, type RequestedSchema, type SchemaFitter } from '../../shared/fit-schemas.ts'
export type { SchemaLocation } from '../../shared/fit-schemas.ts'
export { encodeFreeTextPiece, FREE_TEXT_JSON_END, FreeTextReader } from '../../shared/free-text-json.ts'
export {
  decodeGoogleData,
  decodeGoogleUri,
  GOOGLE_VENDOR,
  googleToolNameRule,
  GOOGLE_MAX_STOP_SEQUENCES,
  PLACEHOLDER_SIGNATURE,
} from '../../shared/google-common.ts'
export { decodeGoogleUsage, encodeGoogleUsage, type GoogleUsageKeys } from '../../shared/google-common.ts'
export { getPlainToolName, toHostedTool } from '../../shared/hosted-tools.ts'
export { normalizeHostedPair } from '../../shared/normalize-hosted-pair.ts'
export { type PartWithPath, readItemTexts, ReasoningItemCodec } from '../../shared/item-reasoning.ts'
export { limitCacheMarkers } from '../../shared/limit-cache-markers.ts'
export {
  hasMediaData,
  isSendableMedia,
  isShownAsReasoning,
  isWebAddress,
} from '../../engine/content-fallback.ts'
export { decodeGroupingToolResults } from '../../shared/message-per-tool-result.ts'
export { encodeMessageOrResults, encodeToolMessage } from '../../shared/message-per-tool-result.ts'
export {
  createOpaqueMessage,
  createOpaquePart,
  encodeOpaque,
  finishDecodedPart,
  getOpaqueMessage,
} from '../../shared/opaque-content.ts'
export { OpenCalls } from '../../shared/open-calls.ts'
export { chatOutputSettings, createOpenaiFactUse, decodeChatOutput } from '../../shared/openai-common.ts'
export { decodeLogprobSettings, decodeOpenaiOutput, effortSettings } from '../../shared/openai-common.ts'
export { encodeChatOutput, encodeLogprobSettings, encodeOpenaiOutput } from '../../shared/openai-common.ts'
export { limitTemperature, openaiErrorKindRows, openaiUserIdRule } from '../../shared/openai-common.ts'
export { createMediaHint, encodeFileName, isAcceptedMedia } from '../../shared/openai-media.ts'
export {
  addNamespaceToName,
  decodeGrammar,
  isTextTool,
  removeNamespaceFromName,
  reportUnusedTextInput,
} from '../../shared/plain-functions.ts'
export {
  collectOriginalPropertyKeys,
  createPropertyKeyHint,
  encodeArgumentKeys,
  hasOnlyValidKeys,
  OriginalArgumentsReader,
  type OriginalPropertyKeys,
} from '../../shared/property-keys.ts'
export { convertSecondsToIso, createAssistantMessage } from '../../shared/response-metadata.ts'
export { createFinishEncoder, createMetadataWithoutModel } from '../../shared/response-metadata.ts'
export { createResponseMetadata, decodeFinishReason } from '../../shared/response-metadata.ts'
export { encodeFinishOrDefault, encodeRequiredFinish } from '../../shared/response-metadata.ts'
export type { FinishEncodeInput, FinishEncoder } from '../../shared/response-metadata.ts'
export { getStoppedMessage, readNestedCount } from '../../shared/response-metadata.ts'
export { reportDroppedCandidates, type ResponseMetadata } from '../../shared/response-metadata.ts'
export { digestSettings } from '../../engine/reasoning-origin.ts'
export { StreamArgumentsReader } from '../../shared/tool-arguments.ts'
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
  reportUnknownAllowedTools,
  requiresTools,
  withholdTools,
} from '../../shared/tool-list.ts'
export { collectOriginalToolNames, createAcceptedChoiceHint } from '../../shared/tool-names.ts'
export { createToolNameHint, encodeToolName, fitToolName, isValidToolName } from '../../shared/tool-names.ts'
export { listCalledToolNames, type OriginalToolNames, readToolName } from '../../shared/tool-names.ts'
export { restoreToolName, type ToolNameRule } from '../../shared/tool-names.ts'
export {
  splitItems,
  TurnWriter,
  type TurnWriterOptions,
  type ReceivedTurn,
} from '../../shared/turn-writer.ts'
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
export { CachedMessageFold } from '../../../canonical/collections/cached-message-fold.ts'
export type { DialectLossRule } from '../../../canonical/losses/loss-catalog.ts'
export type { RefusableSetting } from '../../../canonical/model/capabilities.ts'
export { EFFORTS } from '../../../canonical/model/request.ts'
export { settingRanges } from '../../../canonical/model/setting-ranges.ts'
export { toComparableContent } from '../../../canonical/read/content-digest.ts'
export { isApplicationCall, isMediaPart } from '../../../canonical/read/message-content.ts'
export { isTimestamp } from '../../../canonical/shape/shape.ts'
export { PartAccumulator } from '../../../canonical/stream/part-accumulator.ts'
export { canReadReasoning, isReasoningBound } from '../../../models/reasoning-binding.ts'
export type { ModelVendor } from '../../../models/model-family.ts'
export { mapSubschemas, someSchema } from '../../../schema/map-subschemas.ts'
export { audioFormatTable } from '../../../wire/media-type.ts'
export { fromBase64, parseBase64DataUrl, toBase64, toDataUrl } from '../../../wire/base64.ts'
export { digestJson, digestText } from '../../../wire/digest.ts'
export { freezeCopy, freezeOwned } from '../../../wire/frozen-json.ts'
export { withTypedErrors } from '../../../wire/typed-errors.ts'
export { child, type Path } from '../../../wire/json-pointer.ts'
export { getBlockText, getOwnValue, isEmptyObject, isEqualJson, isList } from '../../../wire/json.ts'
export { isObject, isSafeInteger, itemsOf, omitUndefined, readStringOrEmpty } from '../../../wire/json.ts'
export { isNonEmptyString, setKey, tryParseJson } from '../../../wire/json.ts'
export { getMediaTypeOfName, normalizeMediaType } from '../../../wire/media-type.ts'
export { encodePathSegment, tryDecodeSegment } from '../../../wire/urls.ts'
export {
  fillPlaceholders,
  type RepeatableValues,
  replaceRepeatsByPlaceholders,
} from '../../../wire/canonical-value-placeholders.ts'
export type { AliasesByKey, Hints } from '../../../wire/residue.ts'
export { shareSchema } from '../../../wire/memoize.ts'
export { formatSseEvent } from '../../../wire/sse.ts'
export { createLimitError, resolveStreamLimits, type StreamLimits } from '../../../wire/stream-limits.ts'
export { createTwoWayTable, type TwoWayTable } from '../../../wire/two-way-table.ts'
export { getUtf8Offsets, Utf8Offsets } from '../../../wire/utf8-offsets.ts'
export { claudePropertyKeyRule, createClaudeCallRestorer } from '../../shared/claude-tools.ts'
export { createClaudeToolHints, fitClaudeInputSchema } from '../../shared/claude-tools.ts'
export {
  decodeUsualChatMessage,
  decodeUsualChatResult,
  readTextBesideCalls,
  type UsualChatForms,
} from '../../shared/usual-chat-form-decoder.ts'
export {
  createUsualCall,
  createUsualMessage,
  createUsualResult,
  createUsualText,
  createUsualTexts,
  hasExactKeys,
  isVisibleText,
} from '../../shared/usual-parts.ts'
export { createValueRules } from '../../shared/value-rules.ts'
export { isForcedToolChoice } from '../../../canonical/model/tool.ts'
