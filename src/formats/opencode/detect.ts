import {
  type RecordSigns,
  hasItem,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
} from '../engine/format-signs.ts'

const isMessageInfo = isEvery(hasText('id'), hasText('sessionID'), hasValue('role', 'user', 'assistant'))

/** The signs of an export of opencode, and of the files of its storage. */
export const signs: RecordSigns = {
  title: 'an export or the storage files of opencode',
  marks: [
    [
      'an export with `info` and `messages`',
      isEvery(hasObject('info', isAny(hasText('projectID'), hasText('directory'), hasObject('time')))),
    ],
    ['messages with `info` and `parts`', hasItem('messages', hasObject('info', isMessageInfo))],
    ['a session', isEvery(hasText('id'), hasText('title'), hasObject('time'), hasText('version'))],
    ['a message with `sessionID`', isEvery(isMessageInfo, hasObject('time'))],
    ['a part with `messageID`', isEvery(hasText('messageID'), hasText('sessionID'), hasText('type'))],
  ],
}
