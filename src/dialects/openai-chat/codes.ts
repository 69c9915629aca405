import type { FinishReason } from '../../canonical/model/finish.ts'
import { EFFORTS, type Effort } from '../../canonical/model/request.ts'
import { type TwoWayTable, twoWayTable } from '../../wire/two-way-table.ts'
import type { IdRule } from '../shared/ids.ts'
import type { NameRule } from '../shared/names.ts'
import { type Slot, slotOf } from '../unit.ts'
import type { OpenAIChatHint } from './hints.ts'

/** Who keeps the files and sounds of this format. */
export const MAKER = 'openai'

/** The slot of what only this format says, in either direction. */
export const SLOT: Slot<OpenAIChatHint, 'openai-chat'> = slotOf('openai-chat')

/** The slot of what only a response may carry. */
export const RESPONSE: Slot<OpenAIChatHint> = slotOf('openai-chat/response')

/** The slot of what surrounds a message in a response. */
export const CHOICE: Slot<OpenAIChatHint> = slotOf('openai-chat/choice')

export const finishReasons: TwoWayTable<string, FinishReason> = twoWayTable([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
  ['stop', 'refusal'],
  ['eos', 'stop'],
  ['stop', 'error'],
  ['insufficient_system_resource', 'error'],
  ['error', 'error'],
  ['stop', 'pause'],
  ['stop', 'aborted'],
  ['stop', 'other'],
])

/** Ids of calls in a request; some deployments take 64 characters, all take 40. */
export const idRule: IdRule = { longest: 40 }

/** Names of tools. */
export const toolNames: NameRule = { longest: 64 }

export const efforts: TwoWayTable<string, Effort> = twoWayTable(
  EFFORTS.map((effort) => [effort, effort] as const),
)

/** Lifetimes of OpenAI's cache markers. */
export const breakpoints: TwoWayTable<string, 'short' | 'long'> = twoWayTable([
  ['30m', 'short'],
  ['12h', 'long'],
])

/** Lifetimes of the markers that some hosts take over from Anthropic. */
export const lifetimes: TwoWayTable<string, 'short' | 'long'> = twoWayTable([
  ['5m', 'short'],
  ['1h', 'long'],
])

/** Audio formats by media type. */
export const audioFormats: TwoWayTable<string, string> = twoWayTable([
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mpeg'],
])

/** Who signed a reasoning detail, by the format that a host names. */
export const vendors: ReadonlyMap<unknown, string> = new Map([
  ['anthropic-claude-v1', 'anthropic'],
  ['openai-responses-v1', 'openai'],
  ['google-gemini-v1', 'google'],
  ['xai-responses-v1', 'xai'],
])
