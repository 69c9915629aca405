import { groupLosses, type LossGroup } from '../../canonical/losses/loss-summary.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { CommandExit, type ExitName } from '../exit-codes.ts'
import {
  describeError,
  type ErrorDescription,
  type InputLocation,
  printErrorDescription,
} from '../error-output.ts'
import { formatSeverity, LossTable } from '../loss-table.ts'
import { type Colorizer, createColorizer, escapeControlCharacters, formatTable } from '../terminal-text.ts'
import { printNotice, type Terminal } from '../command-io.ts'
import type { BatchResult } from './convert-batch.ts'
import { ConversionCounts } from './conversion-counts.ts'
import { openOutput } from '../output-file.ts'
import type { LossCount } from './loss-counter.ts'

interface ReporterOptions {
  /** Prints JSON, one object per line. */
  readonly json?: boolean
  /** Prints only errors. */
  readonly quiet?: boolean
}

/** Prints the losses, errors and summary of a conversion to standard error, and counts them. */
export class ConversionReporter {
  readonly #terminal: Terminal
  readonly #json: boolean
  readonly #isQuiet: boolean
  readonly #paint: Colorizer
  readonly counts: ConversionCounts = new ConversionCounts()
  #worstExit: ExitName = 'ok'

  constructor(terminal: Terminal, { json, quiet }: ReporterOptions) {
    this.#terminal = terminal
    this.#json = json === true
    this.#isQuiet = quiet === true
    this.#paint = createColorizer(terminal, terminal.stderr)
  }

  /** Counts a converted document and its losses, and prints them: grouped as text, each as JSON. */
  async addConverted(losses: readonly Loss[]): Promise<void> {
    this.counts.addDocument(losses)
    if (this.#isQuiet) return
    if (this.#json)
      for (const loss of losses)
        await printNotice(this.#terminal, JSON.stringify({ type: loss.severity, ...loss }))
    else for (const group of groupLosses(losses)) await printNotice(this.#terminal, this.#formatGroup(group))
  }

  /** Counts the converted lines of a batch and their losses; `lineOffset` is the number of lines before it. */
  addBatch(batch: BatchResult, lineOffset: number): void {
    this.counts.addBatch(batch, lineOffset)
  }

  #formatGroup({ severity, count, rule, path, reason }: LossGroup): string {
    const label = formatSeverity(severity, this.#paint)
    const times = count === 1 ? '' : `${count} × `
    return `${label}  ${times}${rule} at ${escapeControlCharacters(path)}: ${reason}`
  }

  addFault(at: InputLocation, error: unknown): Promise<void> {
    return this.addDescribedFault(at, describeError(error))
  }

  async addDescribedFault(at: InputLocation, error: ErrorDescription): Promise<void> {
    this.counts.addFault(error, at.line)
    const { exitName } = error
    if (this.#worstExit === 'ok' || exitName === 'input') this.#worstExit = exitName
    await printErrorDescription(at, error, this.#json, this.#terminal)
  }

  async printRemark(text: string): Promise<void> {
    await this.#print({ type: 'remark', text }, () => this.#paint('dim', text))
  }

  /** Prints the totals of a line-by-line conversion. */
  async printSummary(): Promise<void> {
    const { convertedCount: converted, faultCount: faults } = this.counts
    const tally = new LossTable()
    for (const { loss, count } of this.counts.losses) tally.add(loss, count)
    await this.#print({ type: 'summary', converted, faults, losses: tally }, () =>
      [
        ...tally.formatLines(this.#paint),
        `${converted} converted${faults > 0 ? `, ${faults} failed` : ''}`,
      ].join('\n'),
    )
  }

  /** Ends the command with the exit code of the worst error, if there was one. */
  exitOnFault(): void {
    if (this.#worstExit !== 'ok') throw new CommandExit(this.#worstExit)
  }

  async #print(json: object, formatText: () => string): Promise<void> {
    if (!this.#isQuiet) await printNotice(this.#terminal, this.#json ? JSON.stringify(json) : formatText())
  }
}

/** Writes what a conversion lost to a file: JSON if its name ends with `.json`, otherwise a table. */
export async function writeReportFile(
  path: string,
  counts: ConversionCounts,
  terminal: Terminal,
): Promise<void> {
  const output = await openOutput(path, terminal)
  try {
    await output.write(path.toLowerCase().endsWith('.json') ? formatJson(counts) : formatTables(counts))
    await output.commit()
  } finally {
    await output.discard()
  }
}

function formatJson(counts: ConversionCounts): string {
  const report = {
    converted: counts.convertedCount,
    failed: counts.faultCount,
    losses: sortLosses(counts.losses).map(({ loss, pattern, line, count }) => {
      const { rule, severity, dialect, action, reason, path } = loss
      return { rule, severity, dialect, action, path: pattern, count, reason, example: { line, path } }
    }),
    errors: counts.faults.map(({ code, count, message, line }) => ({
      code,
      count,
      message,
      example: { line },
    })),
  }
  return `${JSON.stringify(report, null, 2)}\n`
}

/** Losses before notes, and the most frequent first. */
function sortLosses(losses: readonly LossCount[]): readonly LossCount[] {
  const rank = ({ loss }: LossCount): number => (loss.severity === 'loss' ? 0 : 1)
  return losses.toSorted((a, b) => rank(a) - rank(b) || b.count - a.count)
}

function formatTables(counts: ConversionCounts): string {
  const { convertedCount, faultCount } = counts
  const losses = sortLosses(counts.losses).map(({ loss, pattern, line, count }) => [
    `${count}`,
    loss.severity,
    loss.rule,
    pattern,
    `${line ?? ''}`,
    loss.reason,
  ])
  const errors = counts.faults.map(({ code, count, message, line }) => [
    `${count}`,
    code,
    `${line ?? ''}`,
    message,
  ])
  const sections = [
    [`${convertedCount} converted, ${faultCount} failed`],
    formatSection([['count', 'kind', 'rule', 'path', 'example line', 'first reason'], ...losses]),
    formatSection([['count', 'error', 'example line', 'first message'], ...errors]),
  ]
  const text = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'))
  return `${text.join('\n\n')}\n`
}

/** Returns a table, or nothing if it has a heading alone. */
function formatSection(rows: readonly (readonly string[])[]): readonly string[] {
  const cells = rows.map((row) => row.map((cell) => escapeControlCharacters(cell).replaceAll('\n', ' ')))
  return rows.length === 1 ? [] : formatTable(cells)
}
