import type { JsonObject } from '../../wire/json.ts'
import {
  type FormatSigns,
  hasKeys,
  hasList,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
  isNot,
  type MessageTest,
  type RecordSigns,
} from '../engine/format-signs.ts'

const isTimed = ({ timestamp }: JsonObject): boolean => typeof timestamp === 'number'

const isMessage = isEvery(hasText('role'), isTimed)

/** The types of the entries of a session that are not messages. */
const ENTRY_TYPES = [
  'session',
  'model_change',
  'thinking_level_change',
  'usage',
  'compaction',
  'context_edit',
  'branch_summary',
  'custom',
  'custom_message',
  'label',
  'session_info',
] as const

const isMessageEntry = isEvery(hasValue('type', 'message'), hasObject('message', hasText('role')))

/** Returns true for an entry of a session file. */
export const isEntry: MessageTest = isEvery(
  isNot(hasKeys('role')),
  isAny(isMessageEntry, isEvery(hasValue('type', ...ENTRY_TYPES), hasText('timestamp'))),
)

/** The signs of the session files of pi. */
export const sessionSigns: RecordSigns = {
  title: 'a session file of pi',
  marks: [['an entry of a session', isEntry]],
}

/** The signs of the messages of pi, and of the entries of its session files. */
export const signs: FormatSigns = {
  title: 'messages of pi',
  required: [['`role` and `timestamp`, or the `type` of an entry of a session', isAny(isMessage, isEntry)]],
  marks: [
    ['the role toolResult with `toolCallId`', isEvery(hasValue('role', 'toolResult'), hasText('toolCallId'))],
    ['an answer with `api` and `stopReason`', isEvery(hasText('api'), hasText('stopReason'))],
    ['a message with a `timestamp`', isEvery(isMessage, isAny(hasText('content'), hasList('content')))],
    ['an entry of a session', isEntry],
  ],
}
