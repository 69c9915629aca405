import { RunError } from '../agent/run-errors.ts'
import { InterlinguaError, ProviderError } from '../errors.ts'
import { CommandExit, type ExitName } from './exit-codes.ts'
import { truncateToLine, type Colorizer, createColorizer, escapeControlCharacters } from './terminal-text.ts'
import { printNotice, type Terminal } from './command-io.ts'

/** Something that could not be read, and where it stood. */
export interface InputFault {
  readonly file: string
  readonly line?: number
  readonly error?: unknown
}

/** File, line, reason, and what to do about it. */
export function formatFault({ file, line, error }: InputFault, paint: Colorizer): string {
  const place = paint('red', escapeControlCharacters(line === undefined ? file : `${file}:${line}`))
  return [`${place}: ${formatReason(error)}`, getHint(error)].filter(Boolean).join('. ')
}

/** The same as data. */
export function faultToJson({ file, line, error }: InputFault): object {
  return { type: 'fault', file, ...(line && { line }), ...errorToJson(error) }
}

/** Tells why something could not be read. */
export async function printFault(
  fault: InputFault,
  { json }: { readonly json?: boolean },
  terminal: Terminal,
): Promise<void> {
  const words = (): string => formatFault(fault, createColorizer(terminal, terminal.stderr))
  await printNotice(terminal, json === true ? JSON.stringify(faultToJson(fault)) : words())
}

/** Faults of the input, by code; every other code of ours is a failure. */
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

/** What an error means for the exit code. */
export function getExitName(error: unknown): ExitName {
  if (error instanceof CommandExit) return error.exitName
  // A run fails by what its model or its store did.
  if (error instanceof RunError) return getExitName(error.cause)
  if (error instanceof ProviderError) return 'provider'
  if (!(error instanceof InterlinguaError)) return 'failed'
  if (error.code === 'loss-refused') return 'loss'
  if (error.code === 'damaged') return 'broken'
  return INPUT_ERROR_CODES.has(error.code) ? 'input' : 'failed'
}

/** An error in words, on one line. */
export function formatReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  const message = error.message === '' ? error.name : error.message
  return truncateToLine([message, ...listRemoteDetails(error)].join(': '), 1000)
}

/** What a program that did not start, or a server that did not answer, is known by. */
function listRemoteDetails(error: Error): readonly string[] {
  const isRemote = error instanceof InterlinguaError && error.code === 'server-unreachable'
  return isRemote && error.found !== undefined ? [error.found] : []
}

/** What to do about it, where that is known. */
export function getHint(error: unknown): string | undefined {
  return error instanceof InterlinguaError ? error.hint : undefined
}

/** An error as data. */
export function errorToJson(error: unknown): { readonly [key: string]: unknown } {
  return error instanceof InterlinguaError
    ? error.toJSON()
    : { message: formatReason(error).replace(/^error: /, '') }
}
