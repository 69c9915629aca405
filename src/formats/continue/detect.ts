import {
  type FormatSigns,
  hasItem,
  hasList,
  hasObject,
  hasText,
  isAny,
  isEvery,
} from '../engine/format-signs.ts'

/** The signs of a session file of Continue. */
export const signs: FormatSigns = {
  title: 'a session file of Continue',
  required: [],
  marks: [
    [
      '`sessionId` and a `history` of items with `message`',
      isEvery(
        hasText('sessionId'),
        hasList('history'),
        isAny(hasText('workspaceDirectory'), hasItem('history', hasObject('message', hasText('role')))),
      ),
    ],
  ],
}
