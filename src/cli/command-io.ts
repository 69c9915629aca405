import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { escapeExceptColors } from './terminal-text.ts'
import { readFileSync } from 'node:fs'

/** The version of this package, from its own description. */
export function readPackageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

/** A stream that people may look at. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** All that a command touches of the world besides files and network, so that tests can hand in their own. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly environment: { readonly [name: string]: string | undefined }
  readonly folder: string
  /** Ends the command: Ctrl-C, or nobody reads its output any more. */
  readonly signal: AbortSignal
}

/** How many characters a line of the output has room for: of a wide terminal not all, or nobody could read it. */
export function getLineColumns({ stdout: { columns = 100 } }: Terminal): number {
  return Math.min(Math.max(columns, 40), 120)
}

/** Writes, and waits while the reader is slower than we are. */
export async function writeAndDrain(
  stream: Writable,
  data: string | Uint8Array,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted()
  if (!stream.write(data)) await once(stream, 'drain', signal === undefined ? {} : { signal })
}

/** One line for the reader of the output. */
export function printLine(terminal: Terminal, line = ''): Promise<void> {
  return writeAndDrain(terminal.stdout, `${escapeExceptColors(line)}\n`, terminal.signal)
}

/** One line for the person in front of the screen, beside the output. */
export function printNotice(terminal: Terminal, line: string): Promise<void> {
  return writeAndDrain(terminal.stderr, `${escapeExceptColors(line)}\n`)
}

/** A value as output: one line where a program reads it. */
export function printJson(terminal: Terminal, value: unknown): Promise<void> {
  return printLine(terminal, JSON.stringify(value, null, terminal.stdout.isTTY === true ? 2 : 0))
}
