import type { FinishReason } from '../../canonical/model/message.ts'
import type { LossRule } from '../../canonical/model/loss.ts'
import type { Effort } from '../../canonical/model/request.ts'
import { type TwoWayTable, createTwoWayTable } from '../../wire/two-way-table.ts'
import { type Slot, slotOf } from '../engine/residue-slots.ts'
import type { OllamaHint } from './hints.ts'
import type { ModelFamilies } from '../engine/model-capabilities.ts'

/** The server gives each model what it takes and passes over the rest; what a model can do, only the server knows. */
export const modelFamilies: ModelFamilies = []

/** The slot of what only this format says, in either direction. */
export const DIALECT_SLOT: Slot<OllamaHint, 'ollama'> = slotOf('ollama')

/** The slot of what only a response may carry. */
export const RESPONSE_SLOT: Slot<OllamaHint> = slotOf('ollama/response')

/** Calls have no reason of their own: that there are some tells. */
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

/** Levels of thought. Efforts that have none are asked for as the next one. */
export const effortTable: TwoWayTable<string, Effort> = createTwoWayTable([
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['max', 'max'],
  ['low', 'minimal'],
  ['high', 'xhigh'],
])

/** What vouches for the words of an answer, and the rule by which it leaves with them. */
export const contentBoundRules: { readonly [key: string]: LossRule } = {
  logprobs: 'stale-logprobs',
  context: 'stale-context',
}
