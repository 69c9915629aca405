#!/usr/bin/env node
import { Exit } from './exit-codes.ts'
import { run } from './program.ts'

const controller = new AbortController()

// Once: the command takes back what it began, and ends. Twice: it ends at once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort(new Exit('interrupted'))
  })
}

// `interlingua … | head`: nobody is left to read.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    controller.abort(new Exit('reader-gone'))
  })
}

const code = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  folder: process.cwd(),
  signal: controller.signal,
})
// A pipe that is still open, or a connection kept alive, must not keep us.
process.exit(code)
