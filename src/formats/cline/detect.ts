import type { JsonObject } from '../../wire/json.ts'
import {
  type RecordSigns,
  hasKeys,
  hasList,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
  type MessageTest,
} from '../engine/format-signs.ts'

const hasTime = ({ ts }: JsonObject): boolean => typeof ts === 'number'

/** Returns true for a message of the conversation with the model. */
export const isApiMessage: MessageTest = isEvery(
  hasValue('role', 'user', 'assistant'),
  isAny(hasText('content'), hasList('content'), hasValue('type', 'reasoning')),
)

/** Returns true for an entry of what the user sees. */
export const isViewEntry: MessageTest = isEvery(
  hasTime,
  hasValue('type', 'say', 'ask'),
  isAny(hasText('say'), hasText('ask')),
)

/** The signs of the files of a task of Cline or Roo Code. */
export const signs: RecordSigns = {
  title: 'the files of a task of Cline or Roo Code',
  marks: [
    [
      'a message with `ts`',
      isEvery(isApiMessage, isAny(hasTime, hasObject('modelInfo'), hasKeys('condenseParent'))),
    ],
    ['an entry of the type say or ask', isViewEntry],
    ['`files_in_context`', isEvery(hasList('files_in_context'))],
  ],
}
