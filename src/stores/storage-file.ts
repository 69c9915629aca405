import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { createForeignFileError, createUnusableFileError, type StorageFileKind } from './storage-errors.ts'
import { throwInvalidType, throwInvalidValue } from './check-arguments.ts'
import { LINE_START, isInterruptedLine } from './jsonl/journal-line.ts'

/** Permissions of new files: conversations are private. */
export const PRIVATE_FILE_MODE = 0o600

/** Number of bytes by which a file is recognized. More than the first line: it may be damaged. */
const HEAD_SIZE = 64 * 1024

const SQLITE_START = Buffer.from('SQLite format 3\0')

/** A journal of fewer bytes than this, without a line, could be the start of any JSON file. */
const MIN_INTERRUPTED_SIZE = 15

/** Tests by kind whether the first bytes of a file are those of a storage. */
const FILE_TESTS: { readonly [K in StorageFileKind]: (head: Buffer) => boolean } = {
  journal: (head) =>
    head.includes(LINE_START) || (head.length >= MIN_INTERRUPTED_SIZE && isInterruptedLine(head)),
  sqlite: (head) => head.subarray(0, SQLITE_START.length).equals(SQLITE_START),
}

const FILE_KINDS = Object.keys(FILE_TESTS) as StorageFileKind[]

/**
 * Rejects if a path leads to something that is not a storage of this kind. Only reads: a file of another program stays
 * unchanged. A missing or empty file is accepted. Returns true if the file has content.
 */
export async function refuseForeignFile(path: string, kind: StorageFileKind): Promise<boolean> {
  checkPath(path)
  const head = await readHead(path).catch((error: unknown) => {
    throw createUnusableFileError(error, path)
  })
  if (head.length === 0 || FILE_TESTS[kind](head)) return head.length > 0
  throw createForeignFileError(
    path,
    kind,
    FILE_KINDS.find((other) => FILE_TESTS[other](head)),
  )
}

/** Checks a path of the caller. Node would also open the bytes of a name, or a URL, which the errors could not name. */
function checkPath(path: unknown): void {
  if (typeof path !== 'string') throwInvalidType('path', path, 'the path of a file')
  if (path === '' || path.includes('\0'))
    throwInvalidValue('path', 'an empty text, or NUL', 'the path of a file')
}

/** Returns the path without symbolic links; a missing file is created, readable for its owner only. */
export async function resolveStorageFile(path: string): Promise<string> {
  try {
    await (await open(path, 'a', PRIVATE_FILE_MODE)).close()
    return await realpath(path)
  } catch (error) {
    throw createUnusableFileError(error, path)
  }
}

/** Returns true if a path leads to an empty file, or to a storage of this kind. */
export async function isFileOfKind(path: string, kind: StorageFileKind): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true) return false
  const head = await readHead(path).catch(() => undefined)
  return head !== undefined && (head.length === 0 || FILE_TESTS[kind](head))
}

async function readHead(path: string): Promise<Buffer> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (found === undefined) return Buffer.alloc(0)
  // Opening a pipe or a device could block or have effects.
  if (!found.isFile()) throw new Error(found.isDirectory() ? 'it is a directory' : 'it is not a regular file')
  const file = await open(path, 'r')
  try {
    return await readBytes(file, HEAD_SIZE)
  } finally {
    await file.close()
  }
}

async function readBytes(file: FileHandle, size: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(size), 0, size, 0)
  return buffer.subarray(0, bytesRead)
}
