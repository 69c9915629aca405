import { getOwnValue } from '../../wire/json.ts'
import { type FormatSigns, hasText } from '../engine/format-signs.ts'
import { TOKENS } from './types.ts'

/** Returns true for text with a message of the Harmony format. */
export function isHarmony(text: unknown): boolean {
  if (typeof text !== 'string' || !text.includes(TOKENS.message)) return false
  return text.includes(TOKENS.start) || text.trimStart().startsWith(TOKENS.channel)
}

/** The signs of one conversation. */
export const signs: FormatSigns = {
  title: 'conversations in the Harmony format',
  item: 'a conversation',
  required: [['`text`: a text', hasText('text')]],
  marks: [['`text` with messages of the Harmony format', (record) => isHarmony(getOwnValue(record, 'text'))]],
}
