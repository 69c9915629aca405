import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { escapeExceptColors } from './terminal-text.ts'
import { readFileSync } from 'node:fs'
import { getPackageFile } from '../node/get-package-file.ts'

export function readPackageVersion(): string {
  const text = readFileSync(getPackageFile('package.json'), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** Everything a command uses besides files and the network, so that tests can replace it. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly environment: { readonly [name: string]: string | undefined }
  readonly folder: string
  /** Aborts the command: Ctrl-C, or the reader of its output has exited. */
  readonly signal: AbortSignal
  /** Calls a function for SIGHUP instead of aborting the command, until the result is called. Absent if there are no signals. */
  readonly onHangup?: (listener: () => void) => () => void
}

/** Returns the line width of the output, at most 120 columns for legibility. */
export function getLineColumns({ stdout: { columns = 100 } }: Terminal): number {
  return Math.min(Math.max(columns, 40), 120)
}

export async function writeAndDrain(
  stream: Writable,
  data: string | Uint8Array,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted()
  if (!stream.write(data)) await once(stream, 'drain', signal === undefined ? {} : { signal })
}

export function printLine(terminal: Terminal, line = ''): Promise<void> {
  return writeAndDrain(terminal.stdout, `${escapeExceptColors(line)}\n`, terminal.signal)
}

export async function printLines(terminal: Terminal, lines: readonly string[]): Promise<void> {
  for (const line of lines) await printLine(terminal, line)
}

/** Prints a line to standard error. */
export function printNotice(terminal: Terminal, line: string): Promise<void> {
  return writeAndDrain(terminal.stderr, `${escapeExceptColors(line)}\n`)
}

/** Prints a value as JSON: indented on a terminal, otherwise on one line. */
export function printJson(terminal: Terminal, value: unknown): Promise<void> {
  return printLine(terminal, JSON.stringify(value, null, terminal.stdout.isTTY === true ? 2 : 0))
}
