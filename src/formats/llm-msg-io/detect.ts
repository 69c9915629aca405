import {
  type FormatSigns,
  hasItem,
  hasKeys,
  hasList,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
  isNot,
} from '../engine/format-signs.ts'

/** A call has its name and its arguments beside its id; OpenAI nests them in `function`. */
const isFlatCall = isEvery(hasText('name'), hasText('arguments'), isNot(hasKeys('function')))

/** The first line of an NDJSON file may contain only metadata. */
const isMetadata = isEvery(hasKeys('metadata'), isNot(hasKeys('role')))

/** The signs of the messages of llm-msg-io, in JSON and NDJSON files. */
export const signs: FormatSigns = {
  title: 'messages of llm-msg-io',
  required: [
    ['`role`', isAny(hasText('role'), isMetadata)],
    ['`content` that is a text or a list', isAny(hasText('content'), hasList('content'), isMetadata)],
  ],
  marks: [
    ['`tool_calls` with a name beside the arguments', hasItem('tool_calls', isFlatCall)],
    ['the role tool with `call_id`', isEvery(hasValue('role', 'tool'), hasText('call_id'))],
    ['thought signatures in `extra`', hasObject('extra', hasObject('gemini', hasList('thought_signatures')))],
    ['thinking blocks in `extra`', hasObject('extra', hasObject('claude', hasList('thinking_blocks')))],
  ],
}
