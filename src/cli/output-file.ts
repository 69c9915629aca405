import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { InterlinguaError } from '../errors.ts'
import { describeWriteError } from '../wire/write-error.ts'
import { toAbsolutePath } from './input/source.ts'
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
    if (existing !== undefined && !existing.isFile())
      return new FileOutput(path, await open(absolutePath, 'w'), signal)
    const target = existing === undefined ? absolutePath : await realpath(absolutePath)
    const temporary = join(dirname(target), `.${basename(target)}.${randomUUID().slice(0, 8)}.tmp`)
    const handle = await open(temporary, 'wx')
    temporaryFiles.add(temporary)
    if (existing !== undefined) await handle.chmod(existing.mode)
    return new FileOutput(path, handle, signal, { temporary, target })
  } catch (cause) {
    throw unwritableFileError(path, cause)
  }
}

/** A temporary file and the path to which `commit` renames it. */
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

  constructor(path: string, handle: FileHandle, signal: AbortSignal, temporaryFile?: TemporaryFile) {
    this.#path = path
    this.#handle = handle
    this.#signal = signal
    this.#temporaryFile = temporaryFile
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
    expected: 'a writable path',
    hint: 'Check that the folder exists and is writable, and that the disk is not full.',
    cause,
  })
}

/** Tests whether an error comes from the output and not from the input. */
export function isUnwritableFileError(error: unknown): boolean {
  return error instanceof InterlinguaError && error.code === 'unwritable-file'
}
