import {
  type RecordSigns,
  hasItem,
  hasList,
  hasObject,
  hasText,
  isAny,
  isEvery,
} from '../engine/format-signs.ts'

/** The signs of a session file of Continue. */
export const signs: RecordSigns = {
  title: 'a session file of Continue',
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
