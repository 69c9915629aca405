import type { FinishReason } from '../../canonical/model/message.ts'
import type { DialectLossRule } from '../../canonical/losses/loss-catalog.ts'
import type { Effort } from '../../canonical/model/request.ts'
import { type TwoWayTable, createTwoWayTable } from '../../wire/two-way-table.ts'
import { type Slot, defineSlot } from '../engine/residue-slots.ts'
import type { OllamaHint, OllamaSlot } from './hints.ts'
import type { ModelFactUse } from '../engine/model-facts.ts'

/**
 * How facts about models apply to this dialect. Only the server knows the capabilities of its models; it ignores settings
 * that a model does not support. The open models of OpenAI have efforts of their own.
 */
export const modelFactUse: ModelFactUse = {
  dialect: 'ollama',
  vendors: ['openai'],
  otherVendorFacts: 'media',
  reasoning: { efforts: ['low', 'medium', 'high', 'max'], hasSwitch: true },
}

/** The slot of fields that only this dialect has, in requests and responses. */
export const DIALECT_SLOT: Slot<OllamaHint, 'ollama'> = defineSlot('ollama')

/** The slot of fields that only a response may contain. */
export const RESPONSE_SLOT: OllamaSlot = defineSlot('ollama/response')

/** Finish reasons. The wire has none for tool calls, which are recognized by the message. */
export const finishReasonTable: TwoWayTable<string, FinishReason> = createTwoWayTable([
  ['stop', 'stop'],
  ['length', 'length'],
  ['stop', 'tool-calls'],
  ['stop', 'content-filter'],
  ['stop', 'refusal'],
  ['stop', 'pause'],
  ['stop', 'error'],
  ['stop', 'aborted'],
  ['stop', 'other'],
  ['load', 'other'],
  ['unload', 'other'],
])

/** Thinking levels. */
export const effortTable: TwoWayTable<string, Effort> = createTwoWayTable(
  modelFactUse.reasoning.efforts.map((effort) => [effort, effort] as const),
)

/** Fields that are valid only for the exact text of a response, with the rule for their removal. */
export const contentBoundRules: { readonly [key: string]: DialectLossRule } = {
  logprobs: 'stale-logprobs',
  context: 'stale-context',
}
