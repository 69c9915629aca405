import type { ConversationCodec } from '../engine/conversation-codec.ts'
import { type FormatSigns, hasList, hasText, isEvery } from '../engine/format-signs.ts'
import { NAME } from './constants.ts'
import { readRecord } from './read.ts'

/** The signs of one conversation of `conversations.json`. */
const signs: FormatSigns = {
  title: 'conversations of a Claude.ai export',
  item: 'a conversation',
  required: [['`chat_messages`: a list', hasList('chat_messages')]],
  marks: [['`uuid` and `chat_messages`', isEvery(hasText('uuid'), hasList('chat_messages'))]],
}

/** The reader of one conversation. */
export const recordCodec: ConversationCodec<typeof NAME> = {
  name: NAME,
  signs,
  settings: [],
  read: readRecord,
}
