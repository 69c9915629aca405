import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { InterlinguaError } from '../errors.ts'
import { absolute } from './input/source.ts'
import { type Terminal, write } from './terminal.ts'

/** Where a command puts its result. */
export interface Output {
  write(data: string | Uint8Array): Promise<void>
  /** Makes the result what it is meant to be: until then a file that was there before is untouched. */
  commit(): Promise<void>
  /** Lets go of what was not committed. */
  discard(): Promise<void>
}

/** Files that were begun: they go away even if the process is ended at once. */
const begun = new Set<string>()

process.on('exit', () => {
  for (const path of begun) rmSync(path, { force: true })
})

/** Standard output, or a file that appears whole or not at all. */
export async function openOutput(path: string | undefined, terminal: Terminal): Promise<Output> {
  if (path === undefined || path === '-') {
    return {
      write: (data) => write(terminal.stdout, data, terminal.signal),
      commit: async () => {},
      discard: async () => {},
    }
  }
  const target = absolute(path, terminal)
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID().slice(0, 8)}.tmp`)
  const handle = await open(temporary, 'wx').catch((cause: unknown) => {
    throw unwritable(path, cause)
  })
  begun.add(temporary)
  return new FileOutput(handle, temporary, target, terminal.signal)
}

class FileOutput implements Output {
  readonly #handle: FileHandle
  readonly #temporary: string
  readonly #target: string
  readonly #signal: AbortSignal
  #done = false

  constructor(handle: FileHandle, temporary: string, target: string, signal: AbortSignal) {
    this.#handle = handle
    this.#temporary = temporary
    this.#target = target
    this.#signal = signal
  }

  async write(data: string | Uint8Array): Promise<void> {
    this.#signal.throwIfAborted()
    await this.#handle.writeFile(data)
  }

  async commit(): Promise<void> {
    this.#signal.throwIfAborted()
    await this.#handle.sync()
    await this.#handle.close()
    await rename(this.#temporary, this.#target)
    this.#end()
  }

  async discard(): Promise<void> {
    if (this.#done) return
    await this.#handle.close().catch(() => {})
    await rm(this.#temporary, { force: true })
    this.#end()
  }

  #end(): void {
    this.#done = true
    begun.delete(this.#temporary)
  }
}

function unwritable(path: string, cause: unknown): InterlinguaError {
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
  return new InterlinguaError('unreadable-file', `${path} cannot be written: ${reason}`, {
    found: reason,
    expected: 'a place where a file can be written',
    hint: 'Check that the folder exists, and its permissions.',
    cause,
  })
}
