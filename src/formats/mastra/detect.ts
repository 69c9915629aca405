import {
  type FormatSigns,
  hasList,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
} from '../engine/format-signs.ts'

const ROLES = ['user', 'assistant', 'system', 'signal'] as const

const hasContent = hasObject('content', isEvery(hasValue('format', 2), hasList('parts')))

/** The signs of the messages that the stores of Mastra keep. */
export const signs: FormatSigns = {
  title: 'messages of Mastra',
  required: [
    ['`id`', hasText('id')],
    [`\`role\`: ${ROLES.join(', ')}`, hasValue('role', ...ROLES)],
    ['`content` with the format 2 and a list of `parts`', hasContent],
  ],
  marks: [['`content` with the format 2', isAny(hasContent, hasObject('content', hasValue('format', 2)))]],
}
