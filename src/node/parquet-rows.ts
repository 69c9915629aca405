import { open } from 'node:fs/promises'
import { throwWrongType } from '../canonical/shape/shape.ts'
import { InterlinguaError } from '../errors.ts'
import { toBase64 } from '../wire/base64.ts'
import { type Json, type JsonObject, setKey } from '../wire/json.ts'
import { loadOptionalPackage } from '../wire/load-modules.ts'

const MAGIC = 'PAR1'

/** Returns true for a file that starts like a Parquet file. */
export async function isParquetFile(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
    return bytesRead === MAGIC.length && buffer.toString('latin1') === MAGIC
  } finally {
    await file.close()
  }
}

/**
 * Reads the rows of a Parquet file as plain JSON, such as those of a Hugging Face dataset, with the package `hyparquet`. One group
 * of rows is in memory at a time. Bytes become base64, times become text, and integers that JSON cannot represent become text.
 *
 * @example
 * for await (const row of readParquetRows('train.parquet'))
 *   for (const { value: request } of fromConversations(row)) console.log([...request.messages].length)
 */
export async function* readParquetRows(path: string): AsyncGenerator<JsonObject, void, undefined> {
  if (typeof path !== 'string') throwWrongType(path, undefined, 'the path of a file')
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await loadOptionalPackage(
    'hyparquet',
    () => import('hyparquet'),
  )
  const read = <T>(act: () => Promise<T>): Promise<T> =>
    act().catch((cause: unknown) => {
      throw createParquetError(path, cause)
    })
  const file = await read(() => asyncBufferFromFile(path))
  const metadata = await read(() => parquetMetadataAsync(file))
  let rowStart = 0
  for (const { num_rows: count } of metadata.row_groups) {
    const rowEnd = rowStart + Number(count)
    const options = { file, metadata, rowStart, rowEnd, utf8: false }
    for (const row of await read(() => parquetReadObjects(options))) yield toJson(row) as JsonObject
    rowStart = rowEnd
  }
}

/** Converts a value of a column to JSON. */
function toJson(value: unknown): Json {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (value instanceof Uint8Array) return toBase64(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return Array.from(value as ArrayLike<unknown>, toJson)
  if (typeof value !== 'object' || value === null) return null
  const copy = {}
  for (const [key, each] of Object.entries(value)) setKey(copy, key, toJson(each))
  return copy
}

/** Reasons of the reader and of the file system, and what to do about them. */
const HINTS: readonly (readonly [reason: RegExp, hint: string])[] = [
  [/compression codec/, 'Write the file with Snappy or without compression, or convert it to JSONL.'],
  [/ENOENT|EACCES|EISDIR/, 'Check the path and the permissions of the file.'],
]

function createParquetError(path: string, cause: unknown): InterlinguaError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
  const codec =
    cause instanceof Error ? /unsupported compression codec: \w+/.exec(cause.message)?.[0] : undefined
  const reason = code ?? codec ?? 'it is damaged'
  return new InterlinguaError('unreadable-file', `${path} cannot be read as a Parquet file: ${reason}`, {
    found: reason,
    expected: 'a readable Parquet file',
    hint: HINTS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'Check that the file is complete.',
    cause,
  })
}
