import { widthOf } from './paint.ts'

/** Rows in columns that line up, colours not counted. The last column is not padded. */
export function table(rows: readonly (readonly string[])[], gap = '  '): readonly string[] {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => widthOf(row[column] ?? ''))),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const room = column === row.length - 1 ? 0 : (widths[column] ?? 0)
        return cell + ' '.repeat(Math.max(0, room - widthOf(cell)))
      })
      .join(gap)
      .trimEnd(),
  )
}
