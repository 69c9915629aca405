import { PassThrough, Readable } from 'node:stream'
import type { Terminal } from '../../src/cli/command-io.ts'

/** Returns a terminal without input in a folder; nobody reads its output. */
export function createSilentTerminal(folder: string): Terminal {
  return {
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    environment: {},
    folder,
    signal: new AbortController().signal,
  }
}
