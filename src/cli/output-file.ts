import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { InterlinguaError } from '../errors.ts'
import { describeWriteError } from '../wire/write-error.ts'
import { toAbsolutePath } from './input/source.ts'
import { escapeExceptColors } from './terminal-text.ts'
import { type Terminal, writeAndDrain } from './command-io.ts'

/** Where a command puts its result. */
export interface CommandOutput {
  write(data: string | Uint8Array): Promise<void>
  /** Makes the result what it is meant to be: until then a file that was there before is untouched. */
  commit(): Promise<void>
  /** Lets go of what was not committed. */
  discard(): Promise<void>
}

/** Files that were begun: they go away even if the process is ended at once. */
const temporaryFiles = new Set<string>()

process.on('exit', () => {
  for (const path of temporaryFiles) rmSync(path, { force: true })
})

/** Data as it is, unless a terminal would obey it: what is left of it in JSON says the same. */
function escapeForTerminal(data: string | Uint8Array, { stdout }: Terminal): string | Uint8Array {
  if (stdout.isTTY !== true) return data
  return escapeExceptColors(typeof data === 'string' ? data : Buffer.from(data).toString())
}

/** Standard output, or a file that appears whole or not at all. */
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
    const given = toAbsolutePath(path, terminal)
    const there = await stat(given).catch(() => undefined)
    // A device or a pipe is written to; to put a file in its place would take it away.
    if (there !== undefined && !there.isFile()) return new FileOutput(path, await open(given, 'w'), signal)
    const target = there === undefined ? given : await realpath(given)
    const temporary = join(dirname(target), `.${basename(target)}.${randomUUID().slice(0, 8)}.tmp`)
    const handle = await open(temporary, 'wx')
    temporaryFiles.add(temporary)
    if (there !== undefined) await handle.chmod(there.mode)
    return new FileOutput(path, handle, signal, { temporary, target })
  } catch (cause) {
    throw unwritableFileError(path, cause)
  }
}

/** A file under a name of its own, and the place where it goes when it is whole. */
interface TemporaryFile {
  readonly temporary: string
  readonly target: string
}

class FileOutput implements CommandOutput {
  readonly #path: string
  readonly #handle: FileHandle
  readonly #signal: AbortSignal
  readonly #temporaryFile: TemporaryFile | undefined
  #isDone = false

  constructor(path: string, handle: FileHandle, signal: AbortSignal, draft?: TemporaryFile) {
    this.#path = path
    this.#handle = handle
    this.#signal = signal
    this.#temporaryFile = draft
  }

  async write(data: string | Uint8Array): Promise<void> {
    this.#signal.throwIfAborted()
    await this.#handle.writeFile(data).catch((cause: unknown) => {
      throw unwritableFileError(this.#path, cause)
    })
  }

  async commit(): Promise<void> {
    this.#signal.throwIfAborted()
    try {
      if (this.#temporaryFile !== undefined) await this.#handle.sync()
      await this.#handle.close()
      if (this.#temporaryFile !== undefined)
        await rename(this.#temporaryFile.temporary, this.#temporaryFile.target)
    } catch (cause) {
      throw unwritableFileError(this.#path, cause)
    }
    this.#finish()
  }

  async discard(): Promise<void> {
    if (this.#isDone) return
    await this.#handle.close().catch(() => {})
    if (this.#temporaryFile !== undefined) await rm(this.#temporaryFile.temporary, { force: true })
    this.#finish()
  }

  #finish(): void {
    this.#isDone = true
    if (this.#temporaryFile !== undefined) temporaryFiles.delete(this.#temporaryFile.temporary)
  }
}

function unwritableFileError(path: string, cause: unknown): InterlinguaError {
  return new InterlinguaError('unwritable-file', `${path} cannot be written: ${describeWriteError(cause)}`, {
    expected: 'a place where a file can be written',
    hint: 'Check that the folder exists, its permissions, and the room on the disk.',
    cause,
  })
}

/** Whether it was the output that failed, and not what was to be written. */
export function isUnwritableFileError(error: unknown): boolean {
  return error instanceof InterlinguaError && error.code === 'unwritable-file'
}
