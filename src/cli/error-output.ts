import { RunError } from '../agent/run-errors.ts'
import { InterlinguaError, ProviderError } from '../errors.ts'
import { CommandExit, type ExitName } from './exit-codes.ts'
import { truncateToLine, type Colorizer, createColorizer, escapeControlCharacters } from './terminal-text.ts'
import { printNotice, type Terminal } from './command-io.ts'

/** An error in the input, and its location. */
export interface InputFault {
  readonly file: string
  readonly line?: number
  readonly error?: unknown
}

/** Formats an input error: file, line, reason and hint. */
export function formatFault({ file, line, error }: InputFault, paint: Colorizer): string {
  const location = paint('red', escapeControlCharacters(line === undefined ? file : `${file}:${line}`))
  return [`${location}: ${formatReason(error)}`, getHint(error)].filter(Boolean).join('. ')
}

/** Returns an input error as JSON. */
export function faultToJson({ file, line, error }: InputFault): object {
  return { type: 'fault', file, ...(line && { line }), ...errorToJson(error) }
}

/** Prints an input error to standard error. */
export async function printFault(
  fault: InputFault,
  { json }: { readonly json?: boolean },
  terminal: Terminal,
): Promise<void> {
  const formatText = (): string => formatFault(fault, createColorizer(terminal, terminal.stderr))
  await printNotice(terminal, json === true ? JSON.stringify(faultToJson(fault)) : formatText())
}

/** Error codes caused by the input; all other codes are failures. */
const INPUT_ERROR_CODES: ReadonlySet<string> = new Set([
  'invalid-type',
  'invalid-value',
  'missing-field',
  'unexpected-field',
  'unknown-part-type',
  'unknown-role',
  'part-not-allowed',
  'not-json',
  'too-deep',
  'wrong-kind',
  'unsupported-version',
  'unreadable-file',
  'line-too-long',
  'event-too-large',
  'stream-too-large',
  'arguments-too-large',
  'stream-cut',
  'stream-broken',
  'invalid-stream',
  'unknown-id',
  'unknown-session',
])

/** Returns the exit name of an error. */
export function getExitName(error: unknown): ExitName {
  if (error instanceof CommandExit) return error.exitName
  // A run fails because its model or its store failed.
  if (error instanceof RunError) return getExitName(error.cause)
  if (error instanceof ProviderError) return 'provider'
  if (!(error instanceof InterlinguaError)) return 'failed'
  if (error.code === 'loss-refused') return 'loss'
  if (error.code === 'damaged') return 'check-failed'
  return INPUT_ERROR_CODES.has(error.code) ? 'input' : 'failed'
}

/** Formats the message of an error on one line. */
export function formatReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  const message = error.message === '' ? error.name : error.message
  return truncateToLine([message, ...listRemoteDetails(error)].join(': '), 1000)
}

/** Returns the underlying error of an MCP server that did not start or respond. */
function listRemoteDetails(error: Error): readonly string[] {
  const isRemote = error instanceof InterlinguaError && error.code === 'server-unreachable'
  return isRemote && error.found !== undefined ? [error.found] : []
}

/** Returns the hint of an error, if it has one. */
export function getHint(error: unknown): string | undefined {
  return error instanceof InterlinguaError ? error.hint : undefined
}

/** Returns an error as JSON. */
export function errorToJson(error: unknown): { readonly [key: string]: unknown } {
  return error instanceof InterlinguaError
    ? error.toJSON()
    : { message: formatReason(error).replace(/^error: /, '') }
}
