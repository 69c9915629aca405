import { type ConversationFormat, defineConversationFormat } from '../engine/conversation-format.ts'
import { recordCodec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { FineTuningRecord } from './types.ts'

export type { ConversationFormat, ImportedConversation } from '../engine/conversation-format.ts'
export type { FineTuningRecord } from './types.ts'

/**
 * Lines of OpenAI fine-tuning files: conversations with tools and weights, and preference pairs, whose preferred answer is the
 * current branch.
 *
 * @example
 * const [first] = openaiFineTuning.fromConversations(await readFile('train.jsonl', 'utf8'))
 * const line = JSON.stringify(openaiFineTuning.toConversation(first.value).value)
 */
export const openaiFineTuning: ConversationFormat<typeof NAME, FineTuningRecord> =
  /* @__PURE__ */ defineConversationFormat(recordCodec)
