import type { Rule } from '../../canonical/check/validation-rule.ts'
import type { FinishReason } from '../../canonical/model/message.ts'
import type { MediaPart } from '../../canonical/model/part.ts'
import type { Effort } from '../../canonical/model/request.ts'
import { type TwoWayTable, createTwoWayTable } from '../../wire/two-way-table.ts'
import { getModelVendor, type ModelFactUse } from '../engine/model-facts.ts'
import { type Slot, defineSlot } from '../engine/residue-slots.ts'
import type { CallIdRule } from '../shared/call-ids.ts'
import type { ToolNameRule } from '../shared/tool-names.ts'
import {
  createCallIdRule,
  createToolNameRule,
  nonBlankTextRule,
  userFirstRule,
} from '../shared/validation-rules.ts'
import type { BedrockHint } from './hints.ts'

/** The vendor that signs reasoning, if the model does not identify another one: only Claude signs it. */
export const DIALECT_VENDOR = 'anthropic'

/** Matches the id of a model in Bedrock: `us.anthropic.claude-…`, also at the end of an ARN. */
const modelIdPattern = /(?:^|\/)(?:[a-z-]+\.)?[a-z0-9]+\.[a-z][^/]*$/

/**
 * Returns the vendor that signs the reasoning of a model. The request of an answer may contain the name that another format has
 * for the model, which says nothing about the model in Bedrock.
 */
export function getSignatureVendor(model: string | undefined): string {
  return (model !== undefined && modelIdPattern.test(model) && getModelVendor(model)) || DIALECT_VENDOR
}

/** How facts about models apply to this dialect, for Claude; the fields of other vendors are in `vendor-forms.ts`. */
export const modelFactUse: ModelFactUse = {
  dialect: 'bedrock',
  vendors: ['anthropic'],
  otherVendorFacts: 'content',
  omitsBlankText: true,
  reasoning: {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    hasSwitch: true,
    budget: 'with-effort',
    hasIncludeOnly: true,
  },
}

/** Efforts of `outputConfig`. */
export const effortTable: TwoWayTable<string, Effort> = createTwoWayTable(
  modelFactUse.reasoning.efforts.map((effort) => [effort, effort] as const),
)

/** The slot of fields that only this dialect has. */
export const DIALECT_SLOT: Slot<BedrockHint, 'bedrock'> = defineSlot('bedrock')

/** The slot of fields that only a response may contain. */
export const RESPONSE_SLOT: Slot<BedrockHint> = defineSlot('bedrock/response')

/** Source: `StopReason` of @aws-sdk/client-bedrock-runtime 3.1162. */
export const finishReasonTable: TwoWayTable<string, FinishReason> = createTwoWayTable([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['content_filtered', 'content-filter'],
  ['guardrail_intervened', 'content-filter'],
  ['malformed_model_output', 'error'],
  ['malformed_tool_use', 'error'],
  ['content_filtered', 'refusal'],
])

/** Source: `CacheTTL` of the official client. */
export const cacheLifetimeTable: TwoWayTable<string, 'short' | 'long'> = createTwoWayTable([
  ['5m', 'short'],
  ['1h', 'long'],
])

/**
 * The number of cache points that a request may contain.
 * @see https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
 */
export const MAX_CACHE_POINTS = 4

/** @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html */
const generalCallIdRule: CallIdRule = { maxLength: 64 }

/** Mistral's models accept nine letters and digits on every host. */
const mistralCallIdRule: CallIdRule = { maxLength: 9, isExactLength: true }

/** Returns the rule for the call ids of a request to a model. */
export function getCallIdRule({ model }: { readonly model?: string }): CallIdRule {
  return getModelVendor(model) === 'mistral' ? mistralCallIdRule : generalCallIdRule
}

/** @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html */
export const toolNameRule: ToolNameRule = { maxLength: 64 }

/** The rules that Bedrock has for conversations in addition to the base rules. */
export const validationRules: readonly Rule[] = [
  nonBlankTextRule,
  userFirstRule,
  createCallIdRule(generalCallIdRule),
  createToolNameRule(toolNameRule),
]

const imageFormats: TwoWayTable<string, string> = createTwoWayTable([
  ['png', 'image/png'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
])

const documentFormats: TwoWayTable<string, string> = createTwoWayTable([
  ['pdf', 'application/pdf'],
  ['csv', 'text/csv'],
  ['doc', 'application/msword'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xls', 'application/vnd.ms-excel'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['html', 'text/html'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
])

const videoFormats: TwoWayTable<string, string> = createTwoWayTable([
  ['mp4', 'video/mp4'],
  ['mkv', 'video/x-matroska'],
  ['mov', 'video/quicktime'],
  ['webm', 'video/webm'],
  ['flv', 'video/x-flv'],
  ['mpeg', 'video/mpeg'],
  ['mpg', 'video/mpeg'],
  ['wmv', 'video/x-ms-wmv'],
  ['three_gp', 'video/3gpp'],
])

const audioFormats: TwoWayTable<string, string> = createTwoWayTable([
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['aac', 'audio/aac'],
  ['flac', 'audio/flac'],
  ['m4a', 'audio/mp4'],
  ['mp4', 'audio/mp4'],
  ['ogg', 'audio/ogg'],
  ['opus', 'audio/opus'],
  ['webm', 'audio/webm'],
  ['mka', 'audio/x-matroska'],
  ['mpeg', 'audio/mpeg'],
  ['mpga', 'audio/mpeg'],
  ['pcm', 'audio/pcm'],
])

/** The formats of media by the type of the part. Source: the format enumerations of the official client. */
export const mediaFormatTables: Readonly<Record<MediaPart['type'], TwoWayTable<string, string>>> = {
  image: imageFormats,
  file: documentFormats,
  video: videoFormats,
  audio: audioFormats,
}

/** The key of a media block by the type of its part. */
export const mediaBlockKeys = {
  image: 'image',
  file: 'document',
  video: 'video',
  audio: 'audio',
} as const
