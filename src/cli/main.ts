#!/usr/bin/env node
import { createWriteStream, fstatSync, WriteStream } from 'node:fs'
import * as nodeModule from 'node:module'
import { describeWriteError } from '../wire/describe-write-error.ts'
import { CommandExit, getExitCode } from './exit-codes.ts'
import { runCommandLine } from './program.ts'
import { type OutputStream, printNotice, type Terminal } from './command-io.ts'

// Node 22 and later store the compiled code of the command, which the next start reads. They write to the folder for
// temporary files, and do nothing if that fails.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown }
enableCompileCache?.()

const controller = new AbortController()

/** A command that stays alive after SIGHUP, such as a server that then reads its configuration again. */
let hangupListener: (() => void) | undefined

// The first signal lets the command clean up; the second one ends the process at once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (signal === 'SIGHUP' && hangupListener !== undefined) return hangupListener()
    if (controller.signal.aborted) process.exit(130)
    controller.abort(new CommandExit('interrupted'))
  })
}

/** Uses a file stream if the output is a file: Node's own stream ignores failed writes such as a full disk. */
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
  onHangup(listener) {
    hangupListener = listener
    return () => (hangupListener = undefined)
  },
}

// EPIPE: the reader has exited, as in `interlingua … | head`. Anything else is a write error, such as a full
// disk.
for (const stream of [terminal.stdout, terminal.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    const message = `The output cannot be written: ${describeWriteError(error)}`
    controller.abort(
      error.code === 'EPIPE' ? new CommandExit('broken-pipe') : new CommandExit('failed', message),
    )
  })
}

/** Waits until all output has been written to the file. */
async function waitUntilWritten(stream: OutputStream): Promise<void> {
  if (stream instanceof WriteStream) await new Promise<void>((resolve) => void stream.end(() => resolve()))
}

let code = await runCommandLine(process.argv.slice(2), terminal)
const wasAborted = controller.signal.aborted
await waitUntilWritten(terminal.stdout)
const { aborted, reason } = controller.signal as { readonly aborted: boolean; readonly reason: unknown }
if (aborted && !wasAborted && reason instanceof CommandExit) {
  await printNotice(terminal, `error: ${reason.message}`)
  code = getExitCode(reason.exitName)
}
await waitUntilWritten(terminal.stderr)
// An open pipe or a keep-alive connection must not delay the exit.
process.exit(code)
