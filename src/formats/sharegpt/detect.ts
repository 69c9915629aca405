import { type FormatSigns, hasItem, hasList, hasText, isEvery } from '../engine/format-signs.ts'

const isEntry = isEvery(hasText('from'), hasText('value'))

/** The signs of one conversation of ShareGPT. */
export const signs: FormatSigns = {
  title: 'conversations of ShareGPT',
  item: 'a conversation',
  required: [['`conversations`: a list', hasList('conversations')]],
  marks: [['`conversations` with `from` and `value`', hasItem('conversations', isEntry)]],
}
