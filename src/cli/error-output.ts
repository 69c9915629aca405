import { RunError } from '../agent/run-errors.ts'
import { InterlinguaError, ProviderError } from '../errors.ts'
import { CommandExit, type ExitName } from './exit-codes.ts'
import { truncateToLine, createColorizer, escapeControlCharacters } from './terminal-text.ts'
import { printNotice, type Terminal } from './command-io.ts'

export interface InputLocation {
  readonly file: string
  readonly line?: number
}

/** An error in the input, and its location. */
export interface InputFault extends InputLocation {
  readonly error?: unknown
}

/** An error as plain data, which worker threads can send. */
export interface ErrorDescription {
  readonly exitName: ExitName
  readonly code: string
  readonly message: string
  /** The message and the hint, on one line. */
  readonly text: string
  readonly fields: { readonly [key: string]: unknown }
}

export function describeError(error: unknown): ErrorDescription {
  return {
    exitName: getExitName(error),
    code: error instanceof InterlinguaError ? error.code : 'unknown',
    message: formatErrorMessage(error),
    text: formatErrorWithHint(error),
    fields: errorToJson(error),
  }
}

export function formatFaultLocation({ file, line }: InputLocation): string {
  return escapeControlCharacters(line === undefined ? file : `${file}:${line}`)
}

/** Prints an input error to standard error. */
export function printInputError(fault: InputFault, json: boolean, terminal: Terminal): Promise<void> {
  return printErrorDescription(fault, describeError(fault.error), json, terminal)
}

export function printErrorDescription(
  at: InputLocation,
  { text, fields }: ErrorDescription,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const { file, line } = at
  const location = createColorizer(terminal, terminal.stderr)('red', formatFaultLocation(at))
  return printNotice(
    terminal,
    json ? JSON.stringify({ type: 'fault', file, ...(line && { line }), ...fields }) : `${location}: ${text}`,
  )
}

/** Error codes caused by the input; all other codes are failures. */
const INPUT_ERROR_CODES: ReadonlySet<string> = new Set([
  'invalid-type',
  'invalid-value',
  'missing-field',
  'unexpected-field',
  'unknown-part-type',
  'unknown-role',
  'unknown-message-format',
  'part-not-allowed',
  'not-json',
  'too-deep',
  'cyclic',
  'unknown-media-type',
  'duplicate-section',
  'duplicate-tool',
  'invalid-schema',
  'schema-too-complex',
  'wrong-kind',
  'unsupported-version',
  'unreadable-file',
  'line-too-long',
  'event-too-large',
  'stream-too-large',
  'arguments-too-large',
  'too-many-elements',
  'stream-cut',
  'stream-broken',
  'invalid-stream',
  'unknown-id',
  'unknown-session',
])

/** Exit names of missing and invalid options of providers, by the path of the error. */
const EXITS_BY_OPTION_PATH = new Map<string | undefined, ExitName>([
  ['/apiKey', 'missing-key'],
  ['/baseUrl', 'usage'],
  ['/model', 'usage'],
  ['/store', 'usage'],
])

export function getExitName(error: unknown): ExitName {
  if (error instanceof CommandExit) return error.exitName
  // A run fails because its model or its store failed.
  if (error instanceof RunError) return getExitName(error.cause)
  if (error instanceof ProviderError) return 'provider'
  if (!(error instanceof InterlinguaError)) return 'failed'
  if (error.code === 'loss-refused') return 'loss'
  if (error.code === 'damaged') return 'check-failed'
  if (!INPUT_ERROR_CODES.has(error.code)) return 'failed'
  return EXITS_BY_OPTION_PATH.get(error.path) ?? 'input'
}

/** Formats the message of an error on one line. */
export function formatErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  const message = error.message === '' ? error.name : error.message
  // `found` is the underlying error of an MCP server that did not start or respond.
  const isRemote = error instanceof InterlinguaError && error.code === 'server-unreachable'
  return truncateToLine(isRemote && error.found ? `${message}: ${error.found}` : message, 1000)
}

export function formatErrorWithHint(error: unknown): string {
  return [formatErrorMessage(error), getErrorHint(error)].filter(Boolean).join('. ')
}

export function getErrorHint(error: unknown): string | undefined {
  return error instanceof InterlinguaError ? error.hint : undefined
}

export function errorToJson(error: unknown): { readonly [key: string]: unknown } {
  if (error instanceof InterlinguaError) return error.toJSON()
  return { message: formatErrorMessage(error).replace(/^error: /, '') }
}
