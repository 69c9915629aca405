import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { InterlinguaError } from '../../errors.ts'
import { CommandExit } from '../exit-codes.ts'
import type { Terminal } from '../command-io.ts'

/** Something to read: a file, or what is piped in. */
export interface InputSource {
  /** What people call it. */
  readonly name: string
  /** In bytes, where it is known. */
  readonly sizeBytes?: number
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Opens a file, or standard input where there is no path or `-`. */
export async function openSource(path: string | undefined, terminal: Terminal): Promise<InputSource> {
  if (path === undefined || path === '-') {
    if (terminal.stdin.isTTY === true) throw new CommandExit('usage', 'Name a file, or pipe something in.')
    // A pipe in which nothing comes must not keep us from ending.
    return {
      name: 'stdin',
      bytes: refuseUnreadableEncoding(addAbortSignal(terminal.signal, terminal.stdin), 'stdin'),
    }
  }
  const file = toAbsolutePath(path, terminal)
  const size = await readFileSize(file, path)
  const { signal } = terminal
  return {
    name: path,
    sizeBytes: size,
    bytes: refuseUnreadableEncoding(withReadErrors(createReadStream(file, { signal }), path), path),
  }
}

/** A path as the shell means it. */
export function toAbsolutePath(path: string, { folder }: Terminal): string {
  return isAbsolute(path) ? path : join(folder, path)
}

async function readFileSize(file: string, path: string): Promise<number> {
  const found = await stat(file).catch((cause: unknown) => {
    throw unreadableFileError(path, cause)
  })
  if (found.isDirectory()) throw unreadableFileError(path, undefined, 'it is a folder')
  return found.size
}

async function* withReadErrors(stream: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'AbortError') throw cause
    throw unreadableFileError(path, cause)
  }
}

/** The same bytes, unless they begin as something else than text that we can read. */
async function* refuseUnreadableEncoding(
  bytes: AsyncIterable<Uint8Array>,
  path: string,
): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array(0)
  for await (const chunk of bytes) {
    if (head === undefined) yield chunk
    else {
      head = Buffer.concat([head, chunk])
      if (head.length < 2) continue
      throwIfEncoded(head, path)
      yield head
      head = undefined
    }
  }
  if (head !== undefined && head.length > 0) yield head
}

function throwIfEncoded([first = 0, second = 0]: Uint8Array, path: string): void {
  const isText = (byte: number): boolean => byte >= 0x09 && byte < 0x7f
  if (first === 0x1f && second === 0x8b)
    throw unreadableFileError(path, undefined, 'it is compressed with gzip')
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const halved = (isText(first) && second === 0) || (first === 0 && isText(second))
  if (marked || halved) throw unreadableFileError(path, undefined, 'it is UTF-16')
}

/** What to do about it, where that is not a matter of paths. */
const HINTS_BY_REASON: { readonly [reason: string]: string } = {
  'it is compressed with gzip': 'Unpack it first: gunzip -c FILE | interlingua …',
  'it is UTF-16': 'Write it as UTF-8 first: iconv -f utf-16 -t utf-8 FILE | interlingua …',
}

const REASONS_BY_CODE: { readonly [code: string]: string } = {
  ENOENT: 'there is no such file',
  EACCES: 'permission is denied',
  EISDIR: 'it is a folder',
}

/** The error for a file that cannot be read. */
export function unreadableFileError(
  path: string,
  cause: unknown,
  reason: string = getErrorCode(cause),
): InterlinguaError {
  return new InterlinguaError(
    'unreadable-file',
    `${path} cannot be read: ${REASONS_BY_CODE[reason] ?? reason}`,
    {
      found: reason,
      expected: 'a file that can be read',
      hint: HINTS_BY_REASON[reason] ?? 'Check the path and its permissions.',
      cause,
    },
  )
}

function getErrorCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
}
