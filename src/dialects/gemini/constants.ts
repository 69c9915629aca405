import type { Rule } from '../../canonical/check/validation-rule.ts'
import type { FinishReason } from '../../canonical/model/message.ts'
import type { Effort } from '../../canonical/model/request.ts'
import { type TwoWayTable, createTwoWayTable } from '../../wire/two-way-table.ts'
import { GOOGLE_VENDOR, googleToolNameRule } from '../shared/google-common.ts'
import type { ToolNameRule } from '../shared/tool-names.ts'
import { createToolNameRule, userFirstRule } from '../shared/validation-rules.ts'
import { type Slot, defineSlot } from '../engine/residue-slots.ts'
import type { GeminiHint } from './hints.ts'
import type { ModelFactUse } from '../engine/model-facts.ts'

/** How facts about models apply to this dialect, which serves Google's models only. */
export const modelFactUse: ModelFactUse = {
  dialect: 'gemini',
  vendors: ['google'],
  otherVendorFacts: 'none',
  reasoning: {
    efforts: ['minimal', 'low', 'medium', 'high'],
    hasSwitch: true,
    budget: 'instead-of-effort',
    hasIncludeOnly: true,
  },
}

/** The slot of fields that only this dialect has. */
export const DIALECT_SLOT: Slot<GeminiHint, 'gemini'> = defineSlot('gemini')

/** The slot of fields that only a response may contain. */
export const RESPONSE_SLOT: Slot<GeminiHint> = defineSlot('gemini/response')

/** The slot of the fields of a candidate that surround its message. */
export const CANDIDATE_SLOT: Slot<GeminiHint> = defineSlot('gemini/candidate')

/** The slot of grounding fields that citations cannot represent. */
export const GROUNDING_SLOT: Slot<GeminiHint> = defineSlot('gemini/grounding')

/** The vendor that issues signatures, stores files and executes provider tools in this dialect. */
export const DIALECT_VENDOR: typeof GOOGLE_VENDOR = GOOGLE_VENDOR

/** Finish reasons. The wire has none for tool calls, which are recognized by the parts. */
export const finishReasonTable: TwoWayTable<string, FinishReason> = createTwoWayTable([
  ['STOP', 'stop'],
  ['STOP', 'tool-calls'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content-filter'],
  ['SAFETY', 'refusal'],
  ['RECITATION', 'content-filter'],
  ['LANGUAGE', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
  ['IMAGE_RECITATION', 'content-filter'],
  ['CONTINUATION', 'pause'],
  ['OTHER', 'other'],
  ['OTHER', 'error'],
  ['OTHER', 'aborted'],
  ['MALFORMED_FUNCTION_CALL', 'error'],
  ['UNEXPECTED_TOOL_CALL', 'error'],
  ['TOO_MANY_TOOL_CALLS', 'error'],
])

/** Finish reasons by number, for protocol buffer clients. From 8 on, the numbers differ between hosts. */
export const finishReasonsByNumber: readonly string[] = [
  'FINISH_REASON_UNSPECIFIED',
  'STOP',
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
]

type ToolChoiceMode = 'AUTO' | 'ANY' | 'NONE' | 'VALIDATED'

/** Tool choice modes by name or number. */
export const toolChoiceModes: ReadonlyMap<unknown, ToolChoiceMode> = new Map<unknown, ToolChoiceMode>(
  (['AUTO', 'ANY', 'NONE', 'VALIDATED'] as const).flatMap((mode, index) =>
    [mode, mode.toLowerCase(), index + 1].map((key) => [key, mode] as const),
  ),
)

/** Efforts on the wire, in upper or lower case. */
export const effortTable: TwoWayTable<string, Effort> = createTwoWayTable([
  ['MINIMAL', 'minimal'],
  ['LOW', 'low'],
  ['MEDIUM', 'medium'],
  ['HIGH', 'high'],
  ['minimal', 'minimal'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
])

export const toolNameRule: ToolNameRule = googleToolNameRule

/** The rules that Gemini has for conversations in addition to the base rules. */
export const validationRules: readonly Rule[] = [userFirstRule, createToolNameRule(toolNameRule)]
