import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InterlinguaError } from '../../errors.ts'
import { detectTranscript } from '../../formats/from-transcript.ts'
import type { ByteChunks } from './bytes-to-text.ts'

/** The names of files that agent programs write. */
const SESSION_FILE = /\.jsonl?$/

/** Number of files by which a folder is recognized. */
const PROBED_FILES = 16

/** Returns the session files below a folder, in the order of their paths; none if it is no folder of an agent program. */
export async function listSessionFiles(folder: string, signal: AbortSignal): Promise<readonly string[]> {
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
