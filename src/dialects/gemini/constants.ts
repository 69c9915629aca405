import type { FinishReason } from '../../canonical/model/message.ts'
import type { Effort } from '../../canonical/model/request.ts'
import { type TwoWayTable, createTwoWayTable } from '../../wire/two-way-table.ts'
import type { ToolNameRule } from '../shared/tool-names.ts'
import { type Slot, slotOf } from '../engine/residue-slots.ts'
import type { GeminiHint } from './hints.ts'
import type { ModelFamilies } from '../engine/model-capabilities.ts'

/** What Google says of its models: none of them goes on with an answer that ends the conversation. */
export const modelFamilies: ModelFamilies = [[/gem(?:ini|ma)/, { prefill: false }]]

/** Models up to version 2 need no signatures on calls, and know budgets for thinking but no efforts. */
export function isBeforeGemini3(model: string | undefined): boolean {
  return model !== undefined && /(?:^|\/)gem(?:ini-[12](?!\d)|ma-)/.test(model)
}

/** The slot of what only this format says. */
export const DIALECT_SLOT: Slot<GeminiHint, 'gemini'> = slotOf('gemini')

/** The slot of what only a response may carry. */
export const RESPONSE_SLOT: Slot<GeminiHint> = slotOf('gemini/response')

/** The slot of what surrounds a message in a response. */
export const CANDIDATE_SLOT: Slot<GeminiHint> = slotOf('gemini/candidate')

/** The slot of what the sources of an answer say beyond its citations. */
export const GROUNDING_SLOT: Slot<GeminiHint> = slotOf('gemini/grounding')

/** Who makes this format's signatures, keeps its files and runs its tools. */
export const VENDOR = 'google'

/** The signature that the provider documents for calls that one of its models did not make. */
export const PLACEHOLDER_SIGNATURE = 'skip_thought_signature_validator'

/** Why a model stopped. There is no word for calls: the parts tell. */
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

/** Clients that speak protocol buffers send words as numbers. From 8 on, hosts differ. */
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

/** Types of schemas by their number. */
export const schemaTypesByNumber: readonly string[] = [
  'TYPE_UNSPECIFIED',
  'STRING',
  'NUMBER',
  'INTEGER',
  'BOOLEAN',
  'ARRAY',
  'OBJECT',
  'NULL',
]

type ToolChoiceMode = 'AUTO' | 'ANY' | 'NONE' | 'VALIDATED'

/** Whether tools are called, by the word or its number. */
export const toolChoiceModes: ReadonlyMap<unknown, ToolChoiceMode> = new Map<unknown, ToolChoiceMode>(
  (['AUTO', 'ANY', 'NONE', 'VALIDATED'] as const).flatMap((mode, index) =>
    [mode, mode.toLowerCase(), index + 1].map((word) => [word, mode] as const),
  ),
)

/** Efforts that the provider does not have are asked for as the nearest one. */
export const effortTable: TwoWayTable<string, Effort> = createTwoWayTable([
  ['MINIMAL', 'minimal'],
  ['LOW', 'low'],
  ['MEDIUM', 'medium'],
  ['HIGH', 'high'],
  ['HIGH', 'xhigh'],
  ['HIGH', 'max'],
  ['minimal', 'minimal'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
])

/** Names of tools. */
export const toolNameRule: ToolNameRule = {
  maxLength: 128,
  pattern: /^[a-zA-Z_][\w.:-]*$/,
  allowedText: 'a letter or _, then letters, digits and _ . : -',
}

/** Outcomes of code that mean that it failed, by the word or its number. */
export const failedOutcomes: ReadonlySet<unknown> = new Set([
  'OUTCOME_FAILED',
  'OUTCOME_DEADLINE_EXCEEDED',
  2,
  3,
])
