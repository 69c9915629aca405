import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { builtFolder } from '../stores/built-package.ts'
import type { Ran } from './run-command.ts'

/** A child that has not ended by then is killed: a test must fail, not hang. */
export const CHILD_LIMIT_MS: number = process.env['SOAK'] ? 500_000 : 120_000

/** The compiled command line, and a folder with the command `interlingua` for shells. */
export interface Built {
  readonly main: string
  readonly bin: string
}

let building: Promise<Built> | undefined

/** Returns the command line that the tests of this run share; the first one compiles it. */
export function built(): Promise<Built> {
  return (building ??= build())
}

async function build(): Promise<Built> {
  const main = join(await builtFolder(), 'cli/main.js')
  const bin = await mkdtemp(join(tmpdir(), 'interlingua-bin-'))
  process.on('exit', () => rmSync(bin, { recursive: true, force: true }))
  const script = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`
  await writeFile(join(bin, 'interlingua'), script, { mode: 0o755 })
  return { main, bin }
}

/** A clean environment: no keys, and a separate store. */
export function environment(folder: string, bin = ''): NodeJS.ProcessEnv {
  const { PATH = '' } = process.env
  return { PATH: `${bin}${delimiter}${PATH}`, HOME: folder, INTERLINGUA_STORE: join(folder, 'store.jsonl') }
}

/** Runs a line in a shell. */
export async function shell(line: string, folder: string, input = ''): Promise<Ran> {
  const { bin } = await built()
  const child = spawn('sh', ['-c', line], {
    cwd: folder,
    env: environment(folder, bin),
    timeout: CHILD_LIMIT_MS,
  })
  return collectOutput(child, input)
}

/** Writes the input of a child, and returns what it prints. */
export function collectOutput(child: ChildProcessWithoutNullStreams, input: string): Promise<Ran> {
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }))
  })
}
