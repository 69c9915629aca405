import { type ConversationFormat, defineConversationFormat } from '../engine/conversation-format.ts'
import { recordCodec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { HarmonyRecord } from './types.ts'

export type { ConversationFormat, ImportedConversation } from '../engine/conversation-format.ts'
export type { HarmonyRecord } from './types.ts'

/**
 * Conversations in Harmony, the text that the gpt-oss models are prompted with: messages with channels for reasoning, calls and
 * answers, and tools as TypeScript-like types. Texts that contain its tokens are escaped, so that they stay texts.
 *
 * @example
 * const { value } = harmony.toConversation(request)
 * await writeFile('prompt.txt', value.text)
 */
export const harmony: ConversationFormat<typeof NAME, HarmonyRecord> =
  /* @__PURE__ */ defineConversationFormat(recordCodec)
