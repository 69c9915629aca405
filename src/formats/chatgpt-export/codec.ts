import type { ConversationCodec } from '../engine/conversation-codec.ts'
import { type FormatSigns, hasKeys, hasObject, hasText, isAny } from '../engine/format-signs.ts'
import { NAME } from './constants.ts'
import { readRecord } from './read.ts'

/** The signs of one conversation of `conversations.json`. */
const signs: FormatSigns = {
  title: 'conversations of a ChatGPT export',
  item: 'a conversation',
  required: [['`mapping`: an object', hasObject('mapping')]],
  marks: [
    [
      '`mapping` with `current_node`, `create_time` or `conversation_id`',
      (conversation) =>
        hasObject('mapping')(conversation) &&
        isAny(hasText('current_node'), hasKeys('create_time'), hasText('conversation_id'))(conversation),
    ],
  ],
}

/** The reader of one conversation. */
export const recordCodec: ConversationCodec<typeof NAME> = {
  name: NAME,
  signs,
  settings: [],
  read: readRecord,
}
