import type { RowFault } from '../rows/row-definitions.ts'
import { digestText } from '../../wire/digest.ts'
import type { SqlRow, SqlValue } from './sql-driver.ts'

/** Appends the checksum of the values of a row. Numbers are compared as text: databases return them in either form. */
export function withChecksum(values: readonly SqlValue[]): readonly SqlValue[] {
  return [...values, computeRowChecksum(values)]
}

function computeRowChecksum(values: readonly unknown[]): string {
  return digestText(
    JSON.stringify(values.map((value) => (typeof value === 'number' ? String(value) : value))),
  )
}

type ReadText = (column: string) => string
type ParseText = <T extends object>(column: string, fallback: T, parse: (text: string) => T) => Readonly<T>

/**
 * Reads a row whose last column is the checksum of the others. A row that cannot be read, or whose checksum does not
 * match, has a `fault`: listing and verifying continue with the other rows.
 */
export function readCheckedRow<T extends object>(
  columns: readonly string[],
  row: SqlRow,
  read: (text: ReadText, parse: ParseText) => T,
): T & { readonly fault?: RowFault } {
  const unreadable: string[] = []
  const text: ReadText = (column) => {
    const value = row[column]
    if (typeof value === 'string') return value
    unreadable.push(column)
    return ''
  }
  const parse: ParseText = (column, fallback, parseText) => {
    const value = text(column)
    try {
      return Object.freeze(parseText(value))
    } catch {
      unreadable.push(column)
      return fallback
    }
  }
  const result = read(text, parse)
  if (unreadable.length > 0) {
    const reason = `The column ${unreadable.join(', ')} cannot be read`
    return { ...result, fault: { isUnreadable: true, reason } }
  }
  const values = columns.slice(0, -1).map((column) => row[column])
  if (computeRowChecksum(values) === row[columns.at(-1) ?? '']) return result
  return { ...result, fault: { isUnreadable: false, reason: 'The checksum of the row does not match' } }
}
