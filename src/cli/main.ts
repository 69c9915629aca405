#!/usr/bin/env node
import { createWriteStream, fstatSync, WriteStream } from 'node:fs'
import { systemReason } from '../wire/system-reason.ts'
import { Exit, exitCode } from './exit-codes.ts'
import { run } from './program.ts'
import { type Screen, tell, type Terminal } from './terminal.ts'

const controller = new AbortController()

// Once: the command takes back what it began, and ends. Twice: it ends at once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort(new Exit('interrupted'))
  })
}

/** A file is written to the end: Node's own stream takes no notice of what had no room. */
function screenOf(stream: Screen, descriptor: number): Screen {
  const isFile = fstatSync(descriptor).isFile()
  return isFile ? createWriteStream('', { fd: descriptor, autoClose: false }) : stream
}

const terminal: Terminal = {
  stdin: process.stdin,
  stdout: screenOf(process.stdout, 1),
  stderr: screenOf(process.stderr, 2),
  environment: process.env,
  folder: process.cwd(),
  signal: controller.signal,
}

// `interlingua … | head`: nobody is left to read. Else the disk is full, or worse.
for (const stream of [terminal.stdout, terminal.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    const told = `The output cannot be written: ${systemReason(error)}`
    controller.abort(error.code === 'EPIPE' ? new Exit('reader-gone') : new Exit('failed', told))
  })
}

/** Waits until a file holds all that was said. */
async function written(screen: Screen): Promise<void> {
  if (screen instanceof WriteStream) await new Promise<void>((resolve) => void screen.end(() => resolve()))
}

let code = await run(process.argv.slice(2), terminal)
const before = controller.signal.aborted
await written(terminal.stdout)
const { aborted, reason } = controller.signal as { readonly aborted: boolean; readonly reason: unknown }
if (aborted && !before && reason instanceof Exit) {
  await tell(terminal, `error: ${reason.message}`)
  code = exitCode(reason.exit)
}
await written(terminal.stderr)
// A pipe that is still open, or a connection kept alive, must not keep us.
process.exit(code)
