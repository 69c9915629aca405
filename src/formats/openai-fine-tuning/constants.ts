import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import { openaiChatDialect } from '../../dialects/openai-chat/index.ts'
import type { WireRecordFormat } from '../engine/wire-record.ts'
import { signsByDialect } from '../wire-messages/signs.ts'
import type { FineTuningHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'openai-fine-tuning'

/** The slot of residue. */
export const FINE_TUNING_SLOT: Slot<FineTuningHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)

/** The slot of the codec of Chat Completions. */
export const CHAT_SLOT = 'openai-chat'

/**
 * The keys of preference pairs, current ones first. Source: `FineTunePreferenceRequestInput` of the OpenAI API reference,
 * and of its version 2.3.0 for the older names.
 */
export const PAIR_KEYS = [
  { preferred: 'preferred_output', rejected: 'non_preferred_output' },
  { preferred: 'preferred_completion', rejected: 'non_preferred_completion' },
] as const

/**
 * A line is a request without a model: `messages`, `tools` and `parallel_tool_calls`. Source: `FineTuneChatRequestInput` of the
 * OpenAI API reference. `weight` (0 or 1) of an assistant message is a field of the message.
 */
export const RECORD_FORMAT: WireRecordFormat = {
  name: NAME,
  dialect: openaiChatDialect,
  list: 'messages',
  messageSigns: signsByDialect['openai-chat'],
  settings: ['tools', 'parallelToolCalls'],
}
