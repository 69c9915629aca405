import { type ConversationFormat, defineConversationFormat } from '../engine/conversation-format.ts'
import { recordCodec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { ChatMlRecord } from './types.ts'

export type { ConversationFormat, ImportedConversation } from '../engine/conversation-format.ts'
export type { ChatMlRecord } from './types.ts'

/**
 * Conversations in ChatML, the text that Qwen and Hermes models are prompted with: turns between `<|im_start|>` and `<|im_end|>`,
 * with reasoning, calls and results in tags. Texts that contain these markers are escaped, so that they stay texts.
 *
 * @example
 * const { value } = chatMl.toConversation(request)
 * await writeFile('prompt.txt', value.text)
 */
export const chatMl: ConversationFormat<typeof NAME, ChatMlRecord> =
  /* @__PURE__ */ defineConversationFormat(recordCodec)
