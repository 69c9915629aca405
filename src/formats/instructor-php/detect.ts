import { ROLES } from '../../canonical/model/message.ts'
import {
  type FormatSigns,
  hasItem,
  hasKeys,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
  isNot,
  type MessageTest,
} from '../engine/format-signs.ts'

/** Matches a line of a session file: the header, a message or a label; newer versions may have other types. */
export const isEntry: MessageTest = isEvery(
  isNot(hasKeys('role')),
  isAny(
    isEvery(hasValue('type', 'message'), hasObject('data')),
    isEvery(hasValue('type', 'session'), hasKeys('leafId')),
    isEvery(hasValue('type', 'label'), hasKeys('targetId')),
    isEvery(hasText('type'), hasKeys('timestamp', 'section'), hasText('id')),
  ),
)

/** A call has its name and its arguments as an object, or as an empty list, beside its id. */
const isCall = isEvery(
  hasText('name'),
  isNot(hasKeys('function')),
  isNot(hasText('arguments')),
  hasKeys('arguments'),
)

/** The signs of the messages of Instructor for PHP. */
export const signs: FormatSigns = {
  title: 'messages of Instructor for PHP',
  required: [
    [`\`role\`: ${ROLES.join(', ')}`, isAny(hasValue('role', ...ROLES), isEntry)],
    [
      '`content`, `_metadata`, `tool_calls` or `tool_result`',
      isAny(hasKeys('content'), hasKeys('_metadata'), hasKeys('tool_calls'), hasKeys('tool_result'), isEntry),
    ],
  ],
  marks: [
    ['a line of a session file', isEntry],
    ['`_metadata`', hasObject('_metadata')],
    ['`tool_result` with `call_id`', hasObject('tool_result', hasKeys('call_id'))],
    ['`tool_calls` with arguments that are an object', hasItem('tool_calls', isCall)],
    [
      '`createdAt` beside an id that is a UUID',
      isEvery(hasText('createdAt'), hasText('role'), hasText('content'), hasUuid),
    ],
  ],
}

function hasUuid({ id }: Parameters<MessageTest>[0]): boolean {
  return typeof id === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
}
