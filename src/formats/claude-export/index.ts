import { type ConversationReader, defineConversationReader } from '../engine/conversation-format.ts'
import { recordCodec } from './codec.ts'
import type { NAME } from './constants.ts'

export type { ConversationReader, ImportedConversation } from '../engine/conversation-format.ts'

/**
 * The data export of Claude.ai (`conversations.json`): conversations with all branches, calls of tools and attachments.
 *
 * @example
 * for (const conversation of claudeExport.fromConversations(await readFile('conversations.json', 'utf8')))
 *   await storage.importSession(toSessionLines(conversation))
 */
export const claudeExport: ConversationReader<typeof NAME> =
  /* @__PURE__ */ defineConversationReader(recordCodec)
