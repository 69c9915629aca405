import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { setTimeout } from 'node:timers/promises'

/** Opening a pipe blocks until its other end is opened, and no signal could end the process before that. */
const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants

/** Reads a named pipe. Waits for a writer without blocking, until `signal` aborts. */
export async function* readNamedPipe(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const handle = await open(path, O_RDONLY | O_NONBLOCK)
  try {
    const socket = new Socket({ fd: handle.fd, readable: true, writable: false })
    yield* addAbortSignal(signal, socket)
  } finally {
    // The socket has closed the descriptor.
    await handle.close().catch(() => {})
  }
}

const RETRY_MS = 20

/** Opens a named pipe for writing. Waits for a reader without blocking, until `signal` aborts. */
export async function openNamedPipe(path: string, signal: AbortSignal): Promise<FileHandle> {
  for (;;) {
    signal.throwIfAborted()
    const probe = await open(path, O_WRONLY | O_NONBLOCK).catch((error: unknown) => {
      if (isNoReader(error)) return undefined
      throw error
    })
    if (probe === undefined) {
      await setTimeout(RETRY_MS, undefined, { signal })
      continue
    }
    // There is a reader, so this does not wait. Writes of the probe would fail whenever the pipe is full.
    const handle = await open(path, 'w')
    await probe.close()
    return handle
  }
}

function isNoReader(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENXIO'
}
