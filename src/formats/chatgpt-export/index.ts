import { type ConversationReader, defineConversationReader } from '../engine/conversation-format.ts'
import { recordCodec } from './codec.ts'
import type { NAME } from './constants.ts'

export type { ConversationReader, ImportedConversation } from '../engine/conversation-format.ts'

/**
 * The data export of ChatGPT (`conversations.json`): conversations with all branches, calls of tools and references to files.
 *
 * @example
 * for (const conversation of chatgptExport.fromConversations(await readFile('conversations.json', 'utf8')))
 *   await storage.importSession(toSessionLines(conversation))
 */
export const chatgptExport: ConversationReader<typeof NAME> =
  /* @__PURE__ */ defineConversationReader(recordCodec)
