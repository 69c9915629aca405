import { type FormatSigns, hasList, hasText, isEvery } from '../engine/format-signs.ts'

/** The name of the format. */
export const NAME = 'claude-export'

/** The signs of one conversation of `conversations.json`. */
export const signs: FormatSigns = {
  title: 'conversations of a Claude.ai export',
  item: 'a conversation',
  required: [['`chat_messages`: a list', hasList('chat_messages')]],
  marks: [['`uuid` and `chat_messages`', isEvery(hasText('uuid'), hasList('chat_messages'))]],
}
