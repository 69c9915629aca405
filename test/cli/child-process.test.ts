import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Built, built, CHILD_LIMIT_MS, environment, shell } from './compiled-cli.ts'
import { Folder } from './run-command.ts'
import { files, lossy, request } from './input-fixtures.ts'

/** Tests real processes of the compiled program: signals, pipes, memory. */
let cli: Built
let folder: Folder
beforeAll(async () => {
  cli = await built()
  folder = await Folder.with(files)
}, 120_000)
afterAll(() => folder[Symbol.asyncDispose]())

describe('as typed in a shell', () => {
  test('a round trip through pipes', async () => {
    const line =
      'interlingua convert request.json --to gemini | interlingua convert --to openai-chat --model some-model'
    const { code, stdout } = await shell(line, folder.path)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ model: 'some-model', tools: request['tools'] })
  })

  test('ends when the reader of its output ends', async () => {
    const many = `${JSON.stringify(request)}\n`.repeat(5000)
    const line = '(interlingua convert --to gemini; echo $? >&2) | head -n 1'
    const { stdout, stderr } = await shell(line, folder.path, many)
    expect(stdout.split('\n')).toHaveLength(2)
    expect(stderr).toBe('141\n')
  })

  test('a full disk is reported in one line with the file name, and an existing file stays unchanged', async () => {
    await using own = await Folder.with({
      'log.jsonl': `${JSON.stringify(request)}\n`.repeat(200),
      'out.jsonl': 'before',
      'request.json': JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(9000) }] }),
    })
    // A file size limit fails writes in the same way as a full disk.
    const limited = (line: string): ReturnType<typeof shell> => shell(`ulimit -f 8 && ${line}`, own.path)
    const file = await limited('interlingua convert log.jsonl --to gemini -o out.jsonl')
    expect(file).toMatchObject({ code: 1, stdout: '' })
    expect(file.stderr).toMatch(/^error: out\.jsonl cannot be written: [^\n]+\n[^\n]+\n$/)
    expect(await own.read('out.jsonl')).toBe('before')
    expect(readdirSync(own.path).toSorted()).toEqual(['log.jsonl', 'out.jsonl', 'request.json'])
    for (const command of ['convert log.jsonl --to gemini', 'convert request.json --to gemini']) {
      const { code } = await limited(`interlingua ${command} > out.txt 2> stderr.txt`)
      expect(code).toBe(1)
      expect(await own.read('stderr.txt')).toMatch(/^error: The output cannot be written: .*$/m)
    }
  })

  test('a chat asks about piped text, and refuses piped binary data', async () => {
    const asked = await shell('echo ENOENT | interlingua chat --no-store What is wrong?', folder.path)
    expect(asked).toMatchObject({ code: 0, stderr: '' })
    expect(asked.stdout).toMatch(/What is wrong\?\n\nStandard input:\n\n```\nENOENT\n```/)
    for (const words of ['', ' What is this?']) {
      const { code, stderr } = await shell(
        `printf '\\377\\n' | interlingua chat --no-store${words}`,
        folder.path,
      )
      expect(code).toBe(3)
      expect(stderr).toMatch(/^error: stdin cannot be read: it is not UTF-8 text\n[^\n]+\n$/)
    }
  })

  test('npm start without a terminal runs the tour and exits', async () => {
    const { code, stdout, stderr } = await shell('interlingua demo', folder.path)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const title of ['1. A conv', '2. The same', '3. Stored', '4. Resumed'])
      expect(stdout).toContain(title)
    expect(stdout).toContain('2 branches are stored, with 4 and 4 messages.')
    expect(stdout).toContain('8 messages on this branch, 0 integrity issues.')
  })
})

describe('Ctrl-C', () => {
  const line = `${JSON.stringify(lossy)}\n`
  const block = line.repeat(200)

  /** Blocks of input before the signal; the last one is after the end. */
  test.each([0, 1, 20, 'end'] as const)('after %s blocks leaves no partial file', async (moment) => {
    await using own = await Folder.with({ 'out.jsonl': 'before' })
    const words = [cli.main, 'convert', '--to', 'anthropic', '-o', 'out.jsonl']
    const child = spawn(process.execPath, words, {
      cwd: own.path,
      env: environment(own.path),
      timeout: CHILD_LIMIT_MS,
    })
    child.stdin.on('error', () => {})
    const ended = once(child, 'exit')
    if (moment !== 0) child.stdin.write(block)
    // Writing has started once the temporary file exists.
    while (moment !== 0 && readdirSync(own.path).length === 1) await pause(5)
    if (moment === 'end') child.stdin.end()
    else for (let count = 1; count < moment; count++) child.stdin.write(block)
    if (moment === 0) await pause(300)
    child.kill('SIGINT')
    const [code, signal] = (await ended) as [number | null, string | null]
    expect(readdirSync(own.path)).toEqual(['out.jsonl'])
    const text = await own.read('out.jsonl')
    if (code === 0) expect(text.split('\n')).toHaveLength(201)
    else expect([text, code ?? signal]).toEqual(['before', signal ?? 130])
  })
})

describe('a named pipe', () => {
  const start = (line: string, cwd: string): ReturnType<typeof spawn> =>
    spawn(process.execPath, [cli.main, ...line.split(' ')], {
      cwd,
      env: environment(cwd),
      timeout: CHILD_LIMIT_MS,
      killSignal: 'SIGKILL',
      stdio: 'ignore',
    })

  test.each(['convert pipe --to gemini', 'convert request.json --to gemini -o pipe'])(
    'without its other end is left with Ctrl-C: %s',
    async (line) => {
      await using own = await Folder.with(files)
      await shell('mkfifo pipe', own.path)
      const child = start(line, own.path)
      const ended = once(child, 'exit')
      // Long enough to wait for the pipe in most runs; before that, the signal ends the process itself.
      await pause(1000)
      child.kill('SIGINT')
      const [code, signal] = (await ended) as [number | null, string | null]
      expect([130, 'SIGINT']).toContain(code ?? signal)
    },
  )

  test('is read and written, whichever end is opened first', async () => {
    await using own = await Folder.with(files)
    const line =
      'mkfifo in out; interlingua convert in --to gemini -o out & (sleep 0.2; cat log.jsonl > in) & cat out; wait'
    const { stdout } = await shell(line, own.path)
    expect(stdout.trimEnd().split('\n')).toHaveLength(2)
  })
})

describe('bounded memory', () => {
  /** Much less than the input: memory does not grow with it. */
  const HEAP = '--max-old-space-size=48'
  const MEGABYTES = process.env['SOAK'] ? 1000 : 50

  test(`${MEGABYTES} MB of lines in a heap of 48 MB`, async () => {
    const words = [HEAP, cli.main, 'convert', '--to', 'anthropic']
    const child = spawn(process.execPath, words, {
      cwd: folder.path,
      env: environment(folder.path),
      timeout: CHILD_LIMIT_MS,
    })
    let lines = 0
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', end + 1)) lines++
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
    const ended = once(child, 'close')
    let sent = 0
    let written = 0
    for (; sent < MEGABYTES * 1e6; written++) {
      const text = `Line ${written}: ${'so much to say, '.repeat((written * 100) % 5000)}`
      const line = `${JSON.stringify({ ...lossy, messages: [{ role: 'user', content: text }] })}\n`
      sent += line.length
      if (!child.stdin.write(line)) await once(child.stdin, 'drain')
    }
    child.stdin.end()
    expect(await ended).toEqual([0, null])
    expect(lines).toBe(written)
    expect(stderr).toContain(`${written} converted`)
  })
})
