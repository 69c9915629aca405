#!/usr/bin/env node
import { Exit } from './exit-codes.ts'
import { run } from './program.ts'

const controller = new AbortController()
const handlers: (() => void)[] = []

// Once: the command takes back what it began, and ends. Twice: it ends at once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    const taken = signal === 'SIGINT' ? handlers.at(-1) : undefined
    if (taken !== undefined) taken()
    else if (controller.signal.aborted) process.exit(130)
    else controller.abort(new Exit('interrupted'))
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
  onInterrupt(handler) {
    handlers.push(handler)
    return () => void handlers.splice(handlers.indexOf(handler), 1)
  },
})
// A pipe that is still open, or a connection kept alive, must not keep us.
process.exit(code)
