import type { FinishReason } from '../../canonical/model/finish.ts'
import type { LossRule } from '../../canonical/model/loss.ts'
import type { Effort } from '../../canonical/model/request.ts'
import { type TwoWayTable, twoWayTable } from '../../wire/two-way-table.ts'
import { type Slot, slotOf } from '../unit.ts'
import type { OllamaHint } from './hints.ts'

/** The slot of what only this format says, in either direction. */
export const SLOT: Slot<OllamaHint, 'ollama'> = slotOf('ollama')

/** The slot of what only a response may carry. */
export const RESPONSE: Slot<OllamaHint> = slotOf('ollama/response')

/** Calls have no reason of their own: that there are some tells. */
export const finishReasons: TwoWayTable<string, FinishReason> = twoWayTable([
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
export const efforts: TwoWayTable<string, Effort> = twoWayTable([
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['max', 'max'],
  ['low', 'minimal'],
  ['high', 'xhigh'],
])

/** What vouches for the words of an answer, and the rule by which it leaves with them. */
export const vouchers: { readonly [key: string]: LossRule } = {
  logprobs: 'stale-logprobs',
  context: 'stale-context',
}
