import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type FileHandle, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { InterlinguaError } from '../errors.ts'
import { describeWriteError } from '../wire/describe-write-error.ts'
import { toAbsolutePath } from './input/input-source.ts'
import { openNamedPipe } from './named-pipe.ts'
import { escapeExceptColors } from './terminal-text.ts'
import { type Terminal, writeAndDrain } from './command-io.ts'

/** Destination of a command's result. */
export interface CommandOutput {
  write(data: string | Uint8Array): Promise<void>
  /** Publishes the result. Until then an existing file is unchanged. */
  commit(): Promise<void>
  /** Removes what was not committed. */
  discard(): Promise<void>
}

/** Temporary files, removed even if the process exits abruptly. */
const temporaryFiles = new Set<string>()

process.on('exit', () => {
  for (const path of temporaryFiles) rmSync(path, { force: true })
})

/** Escapes control characters if the output is a terminal; in JSON, the escapes have the same meaning. */
function escapeForTerminal(data: string | Uint8Array, { stdout }: Terminal): string | Uint8Array {
  if (stdout.isTTY !== true) return data
  return escapeExceptColors(typeof data === 'string' ? data : Buffer.from(data).toString())
}

/** Opens standard output, or a file that is replaced atomically on commit. */
export async function openOutput(path: string | undefined, terminal: Terminal): Promise<CommandOutput> {
  if (path === undefined || path === '-') {
    return {
      write: (data) => writeAndDrain(terminal.stdout, escapeForTerminal(data, terminal), terminal.signal),
      commit: async () => {},
      discard: async () => {},
    }
  }
  const { signal } = terminal
  try {
    const absolutePath = toAbsolutePath(path, terminal)
    const existing = await stat(absolutePath).catch(() => undefined)
    // A device or a pipe is written to directly; a rename would replace it.
    if (existing?.isFIFO() === true)
      return createFileOutput(path, await openNamedPipe(absolutePath, signal), signal)
    if (existing !== undefined && !existing.isFile())
      return createFileOutput(path, await open(absolutePath, 'w'), signal)
    const target = existing === undefined ? await resolveLinks(absolutePath) : await realpath(absolutePath)
    const temporary = join(dirname(target), `.${basename(target)}.${randomUUID().slice(0, 8)}.tmp`)
    // It may contain a conversation: only its owner may read it, unless the replaced file allowed more.
    const handle = await open(temporary, 'wx', 0o600)
    temporaryFiles.add(temporary)
    if (existing !== undefined) await handle.chmod(existing.mode)
    return createFileOutput(path, handle, signal, { temporary, target })
  } catch (cause) {
    throw unwritableFileError(path, cause)
  }
}

/** As many links as the system follows. */
const MAX_LINKS = 40

/** Returns the file that a symbolic link names, even if the file does not exist yet. */
async function resolveLinks(path: string): Promise<string> {
  let target = path
  for (let links = 0; links < MAX_LINKS; links++) {
    const next = await readlink(target).catch(() => undefined)
    if (next === undefined) return target
    target = resolve(dirname(target), next)
  }
  throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP' })
}

/** Writes to an open file; if it is a temporary file, `commit` renames it to its target. */
function createFileOutput(
  path: string,
  handle: FileHandle,
  signal: AbortSignal,
  temporaryFile?: { readonly temporary: string; readonly target: string },
): CommandOutput {
  let isDone = false
  const finish = (): void => {
    isDone = true
    if (temporaryFile !== undefined) temporaryFiles.delete(temporaryFile.temporary)
  }
  return {
    async write(data) {
      signal.throwIfAborted()
      await handle.writeFile(data).catch((cause: unknown) => {
        throw unwritableFileError(path, cause)
      })
    },
    async commit() {
      signal.throwIfAborted()
      try {
        if (temporaryFile !== undefined) await handle.sync()
        await handle.close()
        if (temporaryFile !== undefined) await rename(temporaryFile.temporary, temporaryFile.target)
      } catch (cause) {
        throw unwritableFileError(path, cause)
      }
      finish()
    },
    async discard() {
      if (isDone) return
      await handle.close().catch(() => {})
      if (temporaryFile !== undefined) await rm(temporaryFile.temporary, { force: true })
      finish()
    },
  }
}

function unwritableFileError(path: string, cause: unknown): InterlinguaError {
  return new InterlinguaError('unwritable-file', `${path} cannot be written: ${describeWriteError(cause)}`, {
    expected: 'a writable path',
    hint: 'Check that the folder exists and is writable, and that the disk is not full.',
    cause,
  })
}

/** Tests whether an error comes from the output and not from the input. */
export function isUnwritableFileError(error: unknown): boolean {
  return error instanceof InterlinguaError && error.code === 'unwritable-file'
}
