import { createReadStream, type Stats } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { InterlinguaError } from '../../errors.ts'
import { CommandExit } from '../exit-codes.ts'
import { readNamedPipe } from '../named-pipe.ts'
import type { Terminal } from '../command-io.ts'
import { isParquetFile, readParquetRows } from '../../node/parquet-rows.ts'
import type { ByteChunks } from './bytes-to-text.ts'
import { detectTranscript } from '../../formats/from-transcript.ts'

/** The names of files that agent programs write. */
const SESSION_FILE = /\.jsonl?$/

/** Number of files by which a folder is recognized. */
const PROBED_FILES = 16

/** Returns the session files below a folder, in the order of their paths; none if it is no folder of an agent program. */
async function listSessionFiles(folder: string, signal: AbortSignal): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && SESSION_FILE.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
  return (await isTranscript(paths, signal)) ? paths : []
}

/** Returns true if files from all over the list are a transcript. */
async function isTranscript(paths: readonly string[], signal: AbortSignal): Promise<boolean> {
  const step = Math.ceil(paths.length / PROBED_FILES)
  const probed = paths.filter((_path, index) => index % step === 0)
  const files = await Promise.all(
    probed.map(async (path) => ({ path, text: await readFile(path, { encoding: 'utf8', signal }) })),
  )
  try {
    return detectTranscript({ files }) !== undefined
  } catch (error) {
    if (error instanceof InterlinguaError) return false
    throw error
  }
}

/** Yields files as the JSON text `{ "files": [{ "path", "text" }] }`, which is one transcript. */
async function* readFilesAsJson(
  paths: readonly string[],
  signal: AbortSignal,
): ByteChunks & AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (const [index, path] of paths.entries()) {
    const text = await readFile(path, { encoding: 'utf8', signal })
    yield encoder.encode(`${index === 0 ? '{"files":[' : ','}${JSON.stringify({ path, text })}`)
  }
  yield encoder.encode(']}')
}

export interface InputSource {
  /** Name in messages: the path, or `stdin`. */
  readonly name: string
  readonly sizeBytes?: number
  readonly bytes: ByteChunks
}

/** Larger than the default: each chunk of a file with lines is converted as one batch. */
const CHUNK_BYTES = 256 * 1024

/** Opens a file, or standard input if `path` is `-` or omitted. */
export async function openSource(path: string | undefined, terminal: Terminal): Promise<InputSource> {
  const { stdin, signal } = terminal
  if (path === undefined || path === '-') {
    if (stdin.isTTY === true)
      throw new CommandExit('usage', 'Input missing: pass a file, or pipe data to standard input.')
    // An idle pipe must not prevent the command from ending.
    const bytes = addAbortSignal(signal, stdin)
    return { name: 'stdin', bytes: refuseEncodedInput(bytes, 'stdin') }
  }
  const found = await statInput(path, terminal)
  if (found.isDirectory()) {
    const files = await listSessionFiles(toAbsolutePath(path, terminal), signal)
    if (files.length === 0) throw unreadableFileError(path, undefined, 'it is a folder')
    return { name: path, bytes: withReadErrors(readFilesAsJson(files, signal), path) }
  }
  const absolutePath = toAbsolutePath(path, terminal)
  if (found.isFile() && (await isParquetFile(absolutePath).catch(() => false)))
    return { name: path, bytes: readParquetAsLines(absolutePath, signal) }
  const stream = found.isFIFO()
    ? readNamedPipe(absolutePath, signal)
    : createReadStream(absolutePath, { signal, highWaterMark: CHUNK_BYTES })
  const bytes = withReadErrors(stream, path)
  return { name: path, sizeBytes: found.size, bytes: refuseEncodedInput(bytes, path) }
}

/** Reads the rows of a Parquet file as lines of JSON. */
async function* readParquetAsLines(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const row of readParquetRows(path)) {
    signal.throwIfAborted()
    yield encoder.encode(`${JSON.stringify(row)}\n`)
  }
}

export function toAbsolutePath(path: string, { folder }: Terminal): string {
  return isAbsolute(path) ? path : join(folder, path)
}

export function statInput(path: string, terminal: Terminal): Promise<Stats> {
  return stat(toAbsolutePath(path, terminal)).catch((cause: unknown) => {
    throw unreadableFileError(path, cause)
  })
}

async function* withReadErrors(stream: ByteChunks, path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'AbortError') throw cause
    throw unreadableFileError(path, cause)
  }
}

const PARQUET_MAGIC = 'PAR1'

/** Yields the same bytes; throws if they start like gzip, Parquet or UTF-16. */
async function* refuseEncodedInput(bytes: ByteChunks, path: string): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array(0)
  for await (const chunk of bytes) {
    if (head === undefined) yield chunk
    else {
      head = Buffer.concat([head, chunk])
      if (head.length < PARQUET_MAGIC.length) continue
      throwIfEncoded(head, path)
      yield head
      head = undefined
    }
  }
  if (head === undefined || head.length === 0) return
  throwIfEncoded(head, path)
  yield head
}

/** Yields the same bytes; throws if they are not UTF-8 text. For input that is sent as it is, not parsed. */
export async function* requireUtf8(bytes: ByteChunks, path: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const check = (chunk?: Uint8Array): void => {
    let text: string
    try {
      text = decoder.decode(chunk, { stream: chunk !== undefined })
    } catch (cause) {
      throw unreadableFileError(path, cause, 'it is not UTF-8 text')
    }
    if (text.includes('\0')) throw unreadableFileError(path, undefined, 'it is binary data')
  }
  for await (const chunk of bytes) {
    check(chunk)
    yield chunk
  }
  check()
}

function throwIfEncoded(head: Uint8Array, path: string): void {
  const [first = 0, second = first] = head
  const isText = (byte: number): boolean => byte >= 0x09 && byte < 0x7f
  if (first === 0x1f && second === 0x8b)
    throw unreadableFileError(path, undefined, 'it is compressed with gzip')
  if (String.fromCharCode(...head.subarray(0, PARQUET_MAGIC.length)) === PARQUET_MAGIC)
    throw unreadableFileError(path, undefined, 'it is a Parquet file')
  const hasByteOrderMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const hasZeroBytes = (isText(first) && second === 0) || (first === 0 && isText(second))
  if (hasByteOrderMark || hasZeroBytes) throw unreadableFileError(path, undefined, 'it is UTF-16')
}

/** Hints by reason; for all other reasons, the hint is to check the path. */
const HINTS_BY_REASON: { readonly [reason: string]: string } = {
  'it is compressed with gzip': 'Decompress it first: gunzip -c FILE | interlingua …',
  'it is a Parquet file': 'Pass the path of the file: its end must be read first.',
  'it is binary data': 'Extract its text first, or send it as a file with the library.',
  'it is not UTF-8 text': 'Convert it to UTF-8 first: iconv -f latin1 -t utf-8 FILE | interlingua …',
  'it is UTF-16': 'Convert it to UTF-8 first: iconv -f utf-16 -t utf-8 FILE | interlingua …',
}

const REASONS_BY_CODE: { readonly [code: string]: string } = {
  ENOENT: 'the file does not exist',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
}

function unreadableFileError(path: string, cause: unknown, reason = getErrorCode(cause)): InterlinguaError {
  const message = `${path} cannot be read: ${REASONS_BY_CODE[reason] ?? reason}`
  return new InterlinguaError('unreadable-file', message, {
    found: reason,
    expected: 'a readable file',
    hint: HINTS_BY_REASON[reason] ?? 'Check the path and its permissions.',
    cause,
  })
}

function getErrorCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
}
