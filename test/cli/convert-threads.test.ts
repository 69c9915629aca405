import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Built, built, CHILD_LIMIT_MS, environment, shell } from './compiled-cli.ts'
import { Folder, interlingua } from './run-command.ts'
import { lossy, request } from './input-fixtures.ts'

/** Larger than a chunk of a file, so that there are several batches. */
const LINE_COUNT = 500

/** Lines of which each has its number, some of them blank, broken or with other line ends. */
const numbered = Array.from({ length: LINE_COUNT }, (_, index) => {
  if (index % 97 === 5) return '{"messages":'
  if (index % 89 === 3) return ''
  return JSON.stringify({ ...lossy, metadata: { number: String(index) } })
})
const input = numbered.map((line, index) => line + (index % 3 === 0 ? '\r\n' : '\n')).join('')

/** Writes a line to standard error whenever a thread starts. */
const PRELOAD = `const threads = require('node:worker_threads')
const { Worker } = threads
threads.Worker = class extends Worker {
  constructor(script, options) {
    super(process.env.SCRIPT ?? script, { ...options, eval: process.env.SCRIPT !== undefined })
    process.stderr.write('thread started\\n')
  }
}
require('node:module').syncBuiltinESMExports()`

let cli: Built
let folder: Folder
beforeAll(async () => {
  cli = await built()
  folder = await Folder.with({
    'in.jsonl': input,
    'watch.cjs': PRELOAD,
    'small.jsonl': `${numbered[0]}\n`.repeat(9),
  })
}, 120_000)
afterAll(() => folder[Symbol.asyncDispose]())

const convert = 'interlingua convert in.jsonl --to anthropic --keep-going'
const withPreload = (line: string): string => `NODE_OPTIONS="--require ./watch.cjs" ${line}`

describe('convert on threads', () => {
  test('writes the same lines, losses and errors in the same order as on one thread', async () => {
    const [one, three] = [
      await shell(`${convert} --threads 1 --report one.json`, folder.path),
      await shell(`${convert} --threads 3 --report three.json`, folder.path),
    ]
    expect(three).toEqual(one)
    expect(one.code).toBe(3)
    const bad = numbered.flatMap((line, index) => (line.endsWith(':') ? [index + 1] : []))
    const blank = numbered.filter((line) => line === '').length
    expect(Array.from(one.stderr.matchAll(/^in\.jsonl:(\d+): /gm), ([, line]) => Number(line))).toEqual(bad)
    expect(one.stdout.trimEnd().split('\n')).toHaveLength(LINE_COUNT - bad.length - blank)
    expect(await folder.read('three.json')).toBe(await folder.read('one.json'))
  })

  test('stops at the first bad line without --keep-going', async () => {
    const line = 'interlingua convert in.jsonl --to anthropic --threads 2'
    const { code, stdout, stderr } = await shell(line, folder.path)
    expect(code).toBe(3)
    expect(stderr.match(/^in\.jsonl:\d+/gm)).toEqual(['in.jsonl:6'])
    expect(stdout.trimEnd().split('\n')).toHaveLength(4)
  })

  test('starts as many threads as asked for, and none for a small input', async () => {
    const line = withPreload('interlingua convert small.jsonl --to gemini > /dev/null')
    const started = async (options: string): Promise<number> => {
      const { code, stderr } = await shell(`${line} ${options}`, folder.path)
      expect(code).toBe(0)
      return stderr.match(/^thread started$/gm)?.length ?? 0
    }
    expect(await started('--threads 3')).toBe(3)
    expect(await started('')).toBe(0)
  })

  test.each([
    ['fails', 'throw new Error("no luck")', /A conversion thread failed: no luck/],
    ['ends early', 'process.exit()', /A conversion thread failed: it ended early/],
  ])('a thread that %s leaves the output file unchanged', async (_name, script, reason) => {
    await using own = await Folder.with({ 'in.jsonl': input, 'watch.cjs': PRELOAD, 'out.jsonl': 'before' })
    const line = withPreload(
      `SCRIPT='${script}' ${convert.replace(' --keep-going', '')} --threads 2 -o out.jsonl`,
    )
    const { code, stderr } = await shell(line, own.path)
    expect(code).toBe(1)
    expect(stderr).toMatch(reason)
    expect(await own.read('out.jsonl')).toBe('before')
    expect(readdirSync(own.path).toSorted()).toEqual(['in.jsonl', 'out.jsonl', 'watch.cjs'])
  })

  test('ends when the reader of its output ends', async () => {
    const many = `${JSON.stringify(request)}\n`.repeat(2000)
    const line = '(interlingua convert --to gemini --threads 2; echo $? >&2) | head -n 1'
    const { stdout, stderr } = await shell(line, folder.path, many)
    expect(stdout.split('\n')).toHaveLength(2)
    expect(stderr).toBe('141\n')
  })

  test('Ctrl-C ends the threads and leaves no partial file', async () => {
    await using own = await Folder.with({ 'out.jsonl': 'before' })
    const words = [cli.main, 'convert', '--to', 'anthropic', '--threads', '2', '-o', 'out.jsonl']
    const child = spawn(process.execPath, words, {
      cwd: own.path,
      env: environment(own.path),
      timeout: CHILD_LIMIT_MS,
    })
    const ended = once(child, 'exit')
    child.stdin.on('error', () => {})
    child.stdin.write(`${JSON.stringify(lossy)}\n`.repeat(400))
    while (readdirSync(own.path).length === 1) await new Promise((resolve) => setTimeout(resolve, 5))
    child.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    expect(readdirSync(own.path)).toEqual(['out.jsonl'])
    expect(await own.read('out.jsonl')).toBe('before')
  })

  test('a program without the script of the threads converts on one thread, and reports it', async () => {
    // The sources have no compiled script, like a program that was bundled into one file.
    const words = ['convert', 'small.jsonl', '--to', 'gemini', '--threads', '2']
    const { code, stdout, stderr } = await interlingua(words, { folder: folder.path })
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(9)
    expect(stderr).toContain('--threads was ignored')
  })
})
