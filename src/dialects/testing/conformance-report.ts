import { formatValue } from './conformance-error.ts'
import type { LawName } from './law-table.ts'

/** The result of one test. */
export interface ConformanceResult {
  readonly name: string
  readonly law: LawName
  /** The error of a failed test; absent if it passed. */
  readonly error?: Error
}

/** The results of all tests, and their text. */
export interface ConformanceReport {
  /** True if every test passed. */
  readonly passed: boolean
  readonly results: readonly ConformanceResult[]
  /** Parts of the contract that were not tested, and what to pass in to test them. */
  readonly skipped: readonly string[]
  /** The report for a reader: what failed, where, and what to change. */
  readonly text: string
}

/** Failures of one law with the same cause are usually fixed together: only the first ones are printed. */
const MAX_FAILURES_PER_LAW = 3

/** Creates the report of the results. */
export function createReport(
  dialect: string,
  results: readonly ConformanceResult[],
  skipped: readonly string[],
): ConformanceReport {
  const failed = results.filter(({ error }) => error !== undefined)
  const laws = [...new Set(failed.map(({ law }) => law))]
  const lines = [
    `${dialect}: ${results.length - failed.length} of ${results.length} tests passed, ${failed.length} failed.`,
    ...laws.flatMap((law) => formatLaw(failed.filter((result) => result.law === law))),
    ...(skipped.length > 0 ? ['', 'Not tested:', ...skipped.map((text) => `  ${text}`)] : []),
  ]
  return { passed: failed.length === 0, results, skipped, text: lines.join('\n') }
}

function formatLaw(failed: readonly ConformanceResult[]): readonly string[] {
  const shown = failed.slice(0, MAX_FAILURES_PER_LAW)
  const rest = failed.length - shown.length
  return [
    ...shown.flatMap(({ name, error }) => ['', `FAILED ${name}`, indent(describeError(error))]),
    ...(rest > 0 ? ['', `… and ${rest} more failure(s) of the same law.`] : []),
  ]
}

function describeError(error: Error | undefined): string {
  return error?.name === 'ConformanceError' ? error.message : formatValue(error)
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
}
