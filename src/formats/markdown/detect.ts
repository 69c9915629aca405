import { type FormatSigns, hasText } from '../engine/format-signs.ts'
import { ROLE_HEADINGS } from './types.ts'

/** The signs of one transcript. */
export const signs: FormatSigns = {
  title: 'Markdown transcripts',
  item: 'a transcript',
  required: [['`markdown`: a text', hasText('markdown')]],
  marks: [['`markdown`', hasText('markdown')]],
}

const ROLE_LINE = new RegExp(`^(${Object.values(ROLE_HEADINGS).join('|')})[ \\t]*$`, 'm')

/** Returns true for text with the heading of a message. */
export function isTranscript(text: string): boolean {
  return ROLE_LINE.test(text)
}
