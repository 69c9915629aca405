import type { FinishReason } from '../../canonical/model/message.ts'
import { EFFORTS, type Effort } from '../../canonical/model/request.ts'
import { createTwoWayTable, type TwoWayTable } from '../../wire/two-way-table.ts'
import type { ModelFactUse } from '../engine/model-facts.ts'
import { type Slot, defineSlot } from '../engine/residue-slots.ts'
import type { CallIdRule } from '../shared/call-ids.ts'
import type { ToolNameRule } from '../shared/tool-names.ts'
import type { MistralHint, MistralSlot } from './hints.ts'

/** The vendor that stores files by id, signs reasoning and runs hosted tools. */
export const DIALECT_VENDOR = 'mistral'

/** The slot for residue of requests and responses. */
export const DIALECT_SLOT: Slot<MistralHint, 'mistral'> = defineSlot('mistral')

/** The slot for residue that only a response may contain. */
export const RESPONSE_SLOT: MistralSlot = defineSlot('mistral/response')

/** The slot for residue of a choice, the object around the message of a response. */
export const CHOICE_SLOT: MistralSlot = defineSlot('mistral/choice')

/** How facts about models apply to Mistral's own API, which also serves models of Z.ai. */
export const modelFactUse: ModelFactUse = {
  dialect: 'mistral',
  vendors: ['mistral', 'zai'],
  otherVendorFacts: 'none',
  // The efforts in the types of the official client (`@mistralai/mistralai` 2.7). Only GLM also has `max`.
  unknownModel: { efforts: EFFORTS.filter((effort) => effort !== 'max') },
  reasoning: { efforts: EFFORTS, hasSwitch: false },
}

export const effortTable: TwoWayTable<string, Effort> = createTwoWayTable(
  EFFORTS.map((effort) => [effort, effort] as const),
)

/** Finish reasons. `model_length` is the end of the context window. */
export const finishReasonTable: TwoWayTable<string, FinishReason> = createTwoWayTable([
  ['stop', 'stop'],
  ['length', 'length'],
  ['model_length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['error', 'error'],
  ['stop', 'content-filter'],
  ['stop', 'refusal'],
  ['stop', 'pause'],
  ['stop', 'aborted'],
  ['stop', 'other'],
])

/** The service tiers by their names in the canonical request, which are those of OpenAI. */
export const serviceTierTable: TwoWayTable<string, string> = createTwoWayTable([
  ['auto', 'auto'],
  ['standard_only', 'default'],
])

/**
 * The rules for ids and names in requests.
 * @see https://github.com/mistralai/mistral-common (`protocol/instruct/validator.py`, July 2026)
 */
export const callIdRule: CallIdRule = { maxLength: 9, isExactLength: true }
export const toolNameRule: ToolNameRule = { maxLength: 64 }

/** The highest temperature that the API accepts. Source: its OpenAPI document (August 2026). */
export const MAX_TEMPERATURE = 1.5
