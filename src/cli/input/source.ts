import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { InterlinguaError } from '../../errors.ts'
import { CommandExit } from '../exit-codes.ts'
import type { Terminal } from '../command-io.ts'

/** An input: a file or standard input. */
export interface InputSource {
  /** Name in messages: the path, or `stdin`. */
  readonly name: string
  /** Size in bytes, if known. */
  readonly sizeBytes?: number
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Opens a file, or standard input if `path` is `-` or omitted. */
export async function openSource(path: string | undefined, terminal: Terminal): Promise<InputSource> {
  if (path === undefined || path === '-') {
    if (terminal.stdin.isTTY === true)
      throw new CommandExit('usage', 'Input missing: pass a file, or pipe data to standard input.')
    // An idle pipe must not prevent the command from ending.
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

/** Resolves a path against the working folder. */
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

/** Yields the same bytes; throws if they start like gzip or UTF-16. */
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
  const hasByteOrderMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const hasZeroBytes = (isText(first) && second === 0) || (first === 0 && isText(second))
  if (hasByteOrderMark || hasZeroBytes) throw unreadableFileError(path, undefined, 'it is UTF-16')
}

/** Hints by reason; for all other reasons, the hint is to check the path. */
const HINTS_BY_REASON: { readonly [reason: string]: string } = {
  'it is compressed with gzip': 'Decompress it first: gunzip -c FILE | interlingua …',
  'it is UTF-16': 'Convert it to UTF-8 first: iconv -f utf-16 -t utf-8 FILE | interlingua …',
}

const REASONS_BY_CODE: { readonly [code: string]: string } = {
  ENOENT: 'the file does not exist',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
}

/** Creates the error of a file that cannot be read. */
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
      expected: 'a readable file',
      hint: HINTS_BY_REASON[reason] ?? 'Check the path and its permissions.',
      cause,
    },
  )
}

function getErrorCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
}
