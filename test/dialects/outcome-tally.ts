/** The outcome of one translation: exact, valid for the target, or rejected by a named rule. */
export type Outcome = 'exact' | 'valid' | { readonly refusedBy: string }

interface Counts {
  count: number
  exact: number
  valid: number
  refused: number
}

/** Counts outcomes by row, and records the rejected bodies with their reasons. */
export class Tally {
  readonly #rows = new Map<string, Counts>()
  readonly #refusals = new Map<string, string[]>()

  add(row: string, name: string, outcome: Outcome): void {
    const counts = this.#rows.get(row) ?? { count: 0, exact: 0, valid: 0, refused: 0 }
    counts.count += 1
    this.#rows.set(row, counts)
    if (typeof outcome === 'string') {
      counts[outcome] += 1
      return
    }
    counts.refused += 1
    const reason = `${row}, refused by ${outcome.refusedBy}`
    this.#refusals.set(reason, [...(this.#refusals.get(reason) ?? []), name])
  }

  /** Returns a table of all rows, followed by the rejections. */
  toString(): string {
    const cells = [...this.#rows]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([row, { count, exact, valid, refused }]) =>
        [row, count, exact || '-', valid || '-', refused].map(String),
      )
    const table = [['', 'count', 'exact', 'valid', 'refused'], ...cells]
    const width = (column: number): number => Math.max(...table.map((each) => each[column]?.length ?? 0))
    const lines = table.map((each) =>
      each
        .map((cell, column) => (column === 0 ? cell.padEnd(width(0)) : cell.padStart(width(column))))
        .join('  '),
    )
    const refused = [...this.#refusals].flatMap(([reason, names]) => [
      `${reason}: ${names.length}`,
      ...names.map((name) => `  ${name}`),
    ])
    return [...lines, ...(refused.length > 0 ? refused : ['nothing was refused'])].join('\n')
  }
}
