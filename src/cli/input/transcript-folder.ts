import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ByteChunks } from './bytes-to-text.ts'

/** The names of files that agent programs write. */
const SESSION_FILE = /\.jsonl?$/

/** A folder with more files is no folder of a session: the storage of opencode has one file per part. */
const MAX_FILES = 200_000

/** Returns the session files below a folder, in the order of their paths. */
export async function listSessionFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && SESSION_FILE.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
    .slice(0, MAX_FILES)
}

/** Yields files as the JSON text `{ "files": [{ "path", "text" }] }`, which is one transcript. */
export async function* readFilesAsJson(
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
