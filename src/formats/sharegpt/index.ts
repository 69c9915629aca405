import { type ConversationFormat, defineConversationFormat } from '../engine/conversation-format.ts'
import { recordCodec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { ShareGptRecord } from './types.ts'

export type { ConversationFormat, ImportedConversation } from '../engine/conversation-format.ts'
export type { ShareGptEntry, ShareGptRecord } from './types.ts'

/**
 * Conversations of ShareGPT: `from` and `value`, with the columns `system`, `tools`, `chosen` and `rejected`. The format has no
 * ids of calls: a result belongs to the first call before it that has no result.
 *
 * @example
 * const conversations = shareGpt.fromConversations(await readFile('train.json', 'utf8'))
 */
export const shareGpt: ConversationFormat<typeof NAME, ShareGptRecord> =
  /* @__PURE__ */ defineConversationFormat(recordCodec)
