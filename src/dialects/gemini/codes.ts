import type { FinishReason } from '../../canonical/model/finish.ts'
import type { Effort } from '../../canonical/model/request.ts'
import { type TwoWayTable, twoWayTable } from '../../wire/two-way-table.ts'
import type { NameRule } from '../shared/names.ts'
import { type Slot, slotOf } from '../unit.ts'
import type { GeminiHint } from './hints.ts'

/** The slot of what only this format says. */
export const SLOT: Slot<GeminiHint, 'gemini'> = slotOf('gemini')

/** The slot of what only a response may carry. */
export const RESPONSE: Slot<GeminiHint> = slotOf('gemini/response')

/** The slot of what surrounds a message in a response. */
export const CANDIDATE: Slot<GeminiHint> = slotOf('gemini/candidate')

/** The slot of what the sources of an answer say beyond its citations. */
export const GROUNDING: Slot<GeminiHint> = slotOf('gemini/grounding')

/** Who makes this format's signatures, keeps its files and runs its tools. */
export const MAKER = 'google'

/** The signature that the provider documents for calls that one of its models did not make. */
export const PLACEHOLDER = 'skip_thought_signature_validator'

/** Why a model stopped. There is no word for calls: the parts tell. */
export const finishReasons: TwoWayTable<string, FinishReason> = twoWayTable([
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
export const finishNumbers: readonly string[] = [
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
export const schemaTypes: readonly string[] = [
  'TYPE_UNSPECIFIED',
  'STRING',
  'NUMBER',
  'INTEGER',
  'BOOLEAN',
  'ARRAY',
  'OBJECT',
  'NULL',
]

type Mode = 'AUTO' | 'ANY' | 'NONE' | 'VALIDATED'

/** Whether tools are called, by the word or its number. */
export const choices: ReadonlyMap<unknown, Mode> = new Map<unknown, Mode>(
  (['AUTO', 'ANY', 'NONE', 'VALIDATED'] as const).flatMap((mode, index) =>
    [mode, mode.toLowerCase(), index + 1].map((word) => [word, mode] as const),
  ),
)

/** Efforts that the provider does not have are asked for as the nearest one. */
export const efforts: TwoWayTable<string, Effort> = twoWayTable([
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
export const toolNames: NameRule = {
  longest: 128,
  pattern: /^[a-zA-Z_][\w.:-]*$/,
  takes: 'a letter or _, then letters, digits and _ . : -',
}

/** Outcomes of code that mean that it failed, by the word or its number. */
export const failures: ReadonlySet<unknown> = new Set(['OUTCOME_FAILED', 'OUTCOME_DEADLINE_EXCEEDED', 2, 3])
