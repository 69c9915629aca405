#!/usr/bin/env node
import { createWriteStream, fstatSync, WriteStream } from 'node:fs'
import { describeWriteError } from '../wire/write-error.ts'
import { CommandExit, getExitCode } from './exit-codes.ts'
import { runCommandLine } from './program.ts'
import { type OutputStream, printNotice, type Terminal } from './command-io.ts'

const controller = new AbortController()

// Once: the command takes back what it began, and ends. Twice: it ends at once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort(new CommandExit('interrupted'))
  })
}

/** A file is written to the end: Node's own stream takes no notice of what had no room. */
function openOutputStream(stream: OutputStream, descriptor: number): OutputStream {
  const isFile = fstatSync(descriptor).isFile()
  return isFile ? createWriteStream('', { fd: descriptor, autoClose: false }) : stream
}

const terminal: Terminal = {
  stdin: process.stdin,
  stdout: openOutputStream(process.stdout, 1),
  stderr: openOutputStream(process.stderr, 2),
  environment: process.env,
  folder: process.cwd(),
  signal: controller.signal,
}

// `interlingua … | head`: nobody is left to read. Else the disk is full, or worse.
for (const stream of [terminal.stdout, terminal.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    const told = `The output cannot be written: ${describeWriteError(error)}`
    controller.abort(
      error.code === 'EPIPE' ? new CommandExit('reader-gone') : new CommandExit('failed', told),
    )
  })
}

/** Waits until a file holds all that was said. */
async function waitUntilWritten(screen: OutputStream): Promise<void> {
  if (screen instanceof WriteStream) await new Promise<void>((resolve) => void screen.end(() => resolve()))
}

let code = await runCommandLine(process.argv.slice(2), terminal)
const before = controller.signal.aborted
await waitUntilWritten(terminal.stdout)
const { aborted, reason } = controller.signal as { readonly aborted: boolean; readonly reason: unknown }
if (aborted && !before && reason instanceof CommandExit) {
  await printNotice(terminal, `error: ${reason.message}`)
  code = getExitCode(reason.exitName)
}
await waitUntilWritten(terminal.stderr)
// A pipe that is still open, or a connection kept alive, must not keep us.
process.exit(code)
