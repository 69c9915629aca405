import type { ChatRequest, Effort } from '../../canonical/model/request.ts'
import type { FinishReason } from '../../canonical/model/message.ts'
import { createTwoWayTable, type TwoWayTable } from '../../wire/two-way-table.ts'
import type { ModelFactUse } from '../engine/model-facts.ts'
import { type Slot, defineSlot } from '../engine/residue-slots.ts'
import type { ToolNameRule } from '../shared/tool-names.ts'
import type { CohereHint, CohereSlot } from './hints.ts'

/** The vendor of all models of the API. */
export const DIALECT_VENDOR = 'cohere'

/** The slot for residue of requests and responses. */
export const DIALECT_SLOT: Slot<CohereHint, 'cohere'> = defineSlot('cohere')

/** The slot for residue that only a response may contain. */
export const RESPONSE_SLOT: CohereSlot = defineSlot('cohere/response')

/** The slot for residue of the object around the sources of a citation. */
export const CITATION_SLOT: CohereSlot = defineSlot('cohere/citation')

/**
 * How facts about models apply: Cohere's own API runs Cohere's models. Its reasoning has a switch and a token budget.
 * @see https://docs.cohere.com/reference/chat (an output format excludes tools)
 */
export const modelFactUse: ModelFactUse = {
  dialect: 'cohere',
  vendors: ['cohere'],
  otherVendorFacts: 'none',
  unknownModel: { supportsOutputWithTools: false },
  reasoning: { efforts: [], hasSwitch: true, budget: 'instead-of-effort' },
}

/** The types of `thinking` that are efforts: reasoning is disabled, or enabled with a budget. */
export const effortTable: TwoWayTable<string, Effort> = createTwoWayTable([['disabled', 'none']])

/** Finish reasons. */
export const finishReasonTable: TwoWayTable<string, FinishReason> = createTwoWayTable([
  ['COMPLETE', 'stop'],
  ['STOP_SEQUENCE', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['TOOL_CALL', 'tool-calls'],
  ['ERROR', 'error'],
  ['TIMEOUT', 'error'],
])

/**
 * The rule for tool names. The characters are those that Cohere documents; it documents no length.
 * @see https://docs.cohere.com/v1/reference/chat (`tools.name`)
 */
export const toolNameRule: ToolNameRule = {
  maxLength: 64,
  pattern: /^[A-Za-z_][A-Za-z0-9_]*$/u,
  allowedText: 'letters, digits and `_`, not starting with a digit',
}

/** The largest number of stop sequences. Source: the API reference (August 2026). */
export const MAX_STOP_SEQUENCES = 5

/** The largest number of properties in the schemas of all strict tools. Source: the guide on structured outputs (August 2026). */
export const MAX_STRICT_FIELDS = 200

/** The settings with a range. Source: the API reference (August 2026). */
export const samplingRanges: {
  readonly [
    key in keyof Pick<ChatRequest, 'temperature' | 'topP' | 'topK' | 'presencePenalty' | 'frequencyPenalty'>
  ]-?: readonly [min: number, max: number]
} = {
  temperature: [0, 1],
  topP: [0.01, 0.99],
  topK: [0, 500],
  presencePenalty: [0, 1],
  frequencyPenalty: [0, 1],
}
