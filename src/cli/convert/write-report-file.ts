import { escapeControlCharacters, formatTable } from '../terminal-text.ts'
import type { Terminal } from '../command-io.ts'
import { openOutput } from '../output-file.ts'
import type { ConversionCounts } from './conversion-counts.ts'
import type { LossCount } from './loss-counter.ts'

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
