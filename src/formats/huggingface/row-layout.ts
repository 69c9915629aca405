import { throwMissing } from '../../canonical/shape/shape.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { getOwnValue, isObject, type JsonObject } from '../../wire/json.ts'
import { hasKeys, hasList, hasText, isEvery, isNot, type MessageTest } from '../engine/format-signs.ts'

/** The columns of a row that contain its messages. */
export interface RowLayout {
  readonly name: string
  /** The columns of the current branch, one after another. */
  readonly columns: readonly string[]
  /** The column of the other branch, which starts where the last column of the current branch starts. */
  readonly rejected?: string
}

/**
 * The layouts of rows, in the order in which they are looked for: a pair may also contain its chosen conversation as `messages`.
 * Source: "Dataset formats and types" of the documentation of TRL.
 */
export const ROW_LAYOUTS: readonly RowLayout[] = [
  { name: 'preference', columns: ['prompt', 'chosen'], rejected: 'rejected' },
  { name: 'implicit-preference', columns: ['chosen'], rejected: 'rejected' },
  { name: 'messages', columns: ['messages'] },
  { name: 'prompt-completion', columns: ['prompt', 'completion'] },
  { name: 'prompt', columns: ['prompt'] },
]

/** The layouts whose columns may contain a text instead of messages. */
const TEXT_LAYOUTS: readonly RowLayout[] = /* @__PURE__ */ ROW_LAYOUTS.filter(
  ({ columns }) => columns.length > 1,
)

/** Matches a row with a column of messages. */
export const hasMessageList =
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

/** Returns the layout of a row; undefined for a row without messages. */
export function findLayout(row: JsonObject): FoundLayout | undefined {
  const layout = ROW_LAYOUTS.find((each) => hasColumns(each, hasList)(row))
  if (layout !== undefined) return { layout, isText: false }
  const text = TEXT_LAYOUTS.find((each) => hasColumns(each, hasText)(row))
  return text && { layout: text, isText: true }
}

/** Bodies of requests have messages, too, but rows of datasets have no model. */
export const isDatasetRow: MessageTest = isNot(hasKeys('model'))

/** Matches a row whose messages are those of Chat Completions: in a file of conversations it is a row of a dataset. */
export const isPlainRow: MessageTest = isEvery(isDatasetRow, hasMessageList('messages'))
