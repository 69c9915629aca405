import { type RecordSigns, hasKeys, hasObject, hasText, hasValue, isEvery } from '../engine/format-signs.ts'
import { LINE_TYPES } from './types.ts'

/** The signs of the lines of a rollout file of Codex. */
export const signs: RecordSigns = {
  title: 'a rollout file of Codex',
  marks: [
    [
      'a line with `timestamp`, `type` and `payload`',
      isEvery(hasText('timestamp'), hasValue('type', ...LINE_TYPES), hasObject('payload')),
    ],
    // The first line of files before version 0.32.
    ['a header with `instructions`', isEvery(hasText('id'), hasText('timestamp'), hasKeys('instructions'))],
    ['a record of the type state', hasText('record_type')],
  ],
}
