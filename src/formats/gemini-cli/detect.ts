import {
  type RecordSigns,
  hasKeys,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
} from '../engine/format-signs.ts'

/** The signs of a chat file of Gemini CLI: one JSON document, or lines in versions since 0.40. */
export const signs: RecordSigns = {
  title: 'a chat file of Gemini CLI',
  marks: [
    ['`sessionId` and `projectHash`', isEvery(hasText('sessionId'), hasText('projectHash'))],
    [
      'a message of the type gemini',
      isEvery(
        hasValue('type', 'gemini'),
        hasText('id'),
        isAny(hasKeys('tokens'), hasKeys('thoughts'), hasKeys('toolCalls'), hasKeys('model')),
      ),
    ],
    ['`$set`', hasObject('$set')],
    ['`$rewindTo`', hasText('$rewindTo')],
  ],
}
