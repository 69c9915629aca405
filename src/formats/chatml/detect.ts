import { getOwnValue } from '../../wire/json.ts'
import { type FormatSigns, hasText } from '../engine/format-signs.ts'
import { TURN_START } from './types.ts'

/** Returns true for text with a turn of ChatML. */
export function isChatMl(text: unknown): boolean {
  return typeof text === 'string' && text.includes(TURN_START)
}

/** The signs of one conversation. */
export const signs: FormatSigns = {
  title: 'conversations in ChatML',
  item: 'a conversation',
  required: [['`text`: a text', hasText('text')]],
  marks: [['`text` with turns of ChatML', (record) => isChatMl(getOwnValue(record, 'text'))]],
}
