import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { InterlinguaError } from '../../errors.ts'
import { Exit } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'

/** Something to read: a file, or what is piped in. */
export interface Source {
  /** What people call it. */
  readonly name: string
  /** In bytes, where it is known. */
  readonly size?: number
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Opens a file, or standard input where there is no path or `-`. */
export async function openSource(path: string | undefined, terminal: Terminal): Promise<Source> {
  if (path === undefined || path === '-') {
    if (terminal.stdin.isTTY === true) throw new Exit('usage', 'Name a file, or pipe something in.')
    // A pipe in which nothing comes must not keep us from ending.
    return { name: 'stdin', bytes: addAbortSignal(terminal.signal, terminal.stdin) }
  }
  const file = absolute(path, terminal)
  const size = await sizeOf(file, path)
  const { signal } = terminal
  return { name: path, size, bytes: readable(createReadStream(file, { signal }), path) }
}

/** A path as the shell means it. */
export function absolute(path: string, { folder }: Terminal): string {
  return isAbsolute(path) ? path : join(folder, path)
}

async function sizeOf(file: string, path: string): Promise<number> {
  const found = await stat(file).catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
  if (found.isDirectory()) throw unreadable(path, undefined, 'it is a folder')
  return found.size
}

async function* readable(stream: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'AbortError') throw cause
    throw unreadable(path, cause)
  }
}

const REASONS: { readonly [code: string]: string } = {
  ENOENT: 'there is no such file',
  EACCES: 'permission is denied',
  EISDIR: 'it is a folder',
}

/** The error for a file that cannot be read. */
export function unreadable(path: string, cause: unknown, reason: string = codeOf(cause)): InterlinguaError {
  return new InterlinguaError('unreadable-file', `${path} cannot be read: ${REASONS[reason] ?? reason}`, {
    found: reason,
    expected: 'a file that can be read',
    hint: 'Check the path and its permissions.',
    cause,
  })
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
}
