import {
  type FormatSigns,
  hasItem,
  hasKeys,
  hasList,
  hasValue,
  isAny,
  isEvery,
} from '../engine/format-signs.ts'

/** The kinds of parts, by the names of versions 1 and 2 and by those of version 3, which uses genai_primitives. */
export const PART_KINDS: ReadonlyMap<unknown, 'text' | 'thinking' | 'data' | 'link' | 'tool'> = new Map([
  ['Text', 'text'],
  ['TextPart', 'text'],
  ['Thinking', 'thinking'],
  ['ThinkingPart', 'thinking'],
  ['Data', 'data'],
  ['DataPart', 'data'],
  ['Link', 'link'],
  ['LinkPart', 'link'],
  ['Tool', 'tool'],
  ['ToolPart', 'tool'],
])

/** The signs of the messages of dartantic. */
export const signs: FormatSigns = {
  title: 'messages of dartantic',
  required: [
    ['`role`: system, user or model', hasValue('role', 'system', 'user', 'model')],
    ['`parts`: a list', hasList('parts')],
  ],
  marks: [
    [
      'parts of the types Text, Data, Link, Tool or Thinking with `content`',
      hasItem(
        'parts',
        isEvery(
          isAny(...[...PART_KINDS.keys()].map((type) => hasValue('type', type as string))),
          hasKeys('content'),
        ),
      ),
    ],
  ],
}
