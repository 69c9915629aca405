import type { FinishReason } from '../../canonical/model/finish.ts'
import { EFFORTS, type Effort } from '../../canonical/model/request.ts'
import { type TwoWayTable, twoWayTable } from '../../wire/two-way-table.ts'

/** The slot of what only this format says, in either direction. */
export const SLOT = 'openai-chat'

/** The slot of what only a response may carry. */
export const RESPONSE = 'openai-chat/response'

/** The slot of what surrounds a message in a response. */
export const CHOICE = 'openai-chat/choice'

export const finishReasons: TwoWayTable<string, FinishReason> = twoWayTable([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
  ['stop', 'refusal'],
  ['eos', 'stop'],
  ['insufficient_system_resource', 'error'],
  ['error', 'error'],
  ['stop', 'pause'],
  ['stop', 'aborted'],
  ['stop', 'other'],
])

export const efforts: TwoWayTable<string, Effort> = twoWayTable(
  EFFORTS.map((effort) => [effort, effort] as const),
)

/** Audio formats by media type. */
export const audioFormats: TwoWayTable<string, string> = twoWayTable([
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mpeg'],
])

/** Who signed a reasoning detail, by the format that a host names. */
export const makers: ReadonlyMap<unknown, string> = new Map([
  ['anthropic-claude-v1', 'anthropic'],
  ['openai-responses-v1', 'openai'],
  ['google-gemini-v1', 'google'],
  ['xai-responses-v1', 'xai'],
])
