import { getOwnValue, isObject, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { throwMissing } from '../../canonical/shape/shape.ts'
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
  type MessageTest,
} from '../engine/format-signs.ts'
import { ROW_LAYOUTS, type RowLayout, TEXT_LAYOUTS } from './types.ts'

const isMessageList =
  (column: string): MessageTest =>
  (row) => {
    const list = getOwnValue(row, column)
    return Array.isArray(list) && list.length > 0 && list.every((item) => isObject(item) && 'role' in item)
  }

const listColumns = ({ columns, rejected }: RowLayout): readonly string[] =>
  rejected === undefined ? columns : [...columns, rejected]

const hasColumns = (layout: RowLayout, test: (column: string) => MessageTest): MessageTest =>
  isEvery(...listColumns(layout).map(test))

/** The layout of a row. */
interface FoundLayout {
  readonly layout: RowLayout
  /** The columns contain texts instead of messages. */
  readonly isText: boolean
}

/** Returns the layout of a row; a row without messages is an error. */
export function requireLayout(row: JsonObject, path: Path | undefined): FoundLayout {
  return findLayout(row) ?? throwMissing(child(path, 'messages'), 'a list of messages')
}

function findLayout(row: JsonObject): FoundLayout | undefined {
  const layout = ROW_LAYOUTS.find((each) => hasColumns(each, hasList)(row))
  if (layout !== undefined) return { layout, isText: false }
  const text = TEXT_LAYOUTS.find((each) => hasColumns(each, hasText)(row))
  return text && { layout: text, isText: true }
}

/** Bodies of requests have messages, too, but rows of datasets have no model. */
const isRow = isNot(hasKeys('model'))

/** Calls of Ollama have objects as arguments, too, but no type. */
const hasObjectArguments: MessageTest = isEvery(
  hasValue('type', 'function'),
  hasObject('function', hasObject('arguments')),
)

/** The signs of one row. A row that has only messages of Chat Completions is read as a request. */
export const signs: FormatSigns = {
  title: 'rows of Hugging Face datasets',
  item: 'a row',
  required: [['`messages`, `prompt` or `chosen`', (row) => findLayout(row) !== undefined]],
  marks: [
    [
      'messages in the columns of TRL',
      isEvery(isRow, isAny(...['prompt', 'completion', 'chosen'].map(isMessageList))),
    ],
    ['`chosen` and `rejected`', isEvery(isRow, hasText('prompt'), hasText('chosen'), hasText('rejected'))],
    ['`prompt` and `completion`', isEvery(isRow, hasText('prompt'), hasText('completion'))],
    [
      'arguments that are an object',
      isEvery(isRow, hasItem('messages', hasItem('tool_calls', hasObjectArguments))),
    ],
    ['`tools` as text', isEvery(isRow, isMessageList('messages'), hasText('tools'))],
    ['`messages` with `images`', isEvery(isRow, isMessageList('messages'), hasList('images'))],
  ],
}

/** Matches a row whose messages are those of Chat Completions: in a file of conversations it is a row of a dataset. */
export const isPlainRow: MessageTest = isEvery(isRow, isMessageList('messages'))
