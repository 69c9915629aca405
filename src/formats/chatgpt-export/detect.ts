import { type FormatSigns, hasKeys, hasObject, hasText, isAny } from '../engine/format-signs.ts'

/** The name of the format. */
export const NAME = 'chatgpt-export'

/** The signs of one conversation of `conversations.json`. */
export const signs: FormatSigns = {
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
