import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, truncate, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { built, CHILD_LIMIT_MS, environment } from './compiled-cli.ts'
import { request } from './input-fixtures.ts'
import { Folder, interlingua } from './run-command.ts'

const good = JSON.stringify(request)
const id = (number: number): string => `0b7c1f7e-7a51-4a5c-9a65-00000000000${number}`

/** A line of a session file with one message per line. */
const entry = (own: number, parent: number | null, content = 'Hi'): string =>
  JSON.stringify({
    type: 'message',
    id: id(own),
    parentId: parent === null ? null : id(parent),
    section: 'messages',
    timestamp: '2026-08-06T23:52:09+00:00',
    data: { role: 'user', content },
  })

const constructor = (name: string, kwargs: object): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs,
})

/** The exit code that each file must have, and what must be printed. */
interface HostileFile {
  readonly name: string
  readonly bytes: string | Uint8Array
  readonly code: 0 | 3
  readonly stderr?: RegExp
}

const hostileFiles: readonly HostileFile[] = [
  {
    name: 'torn.jsonl',
    bytes: `${good}\n${good.slice(0, 50)}`,
    code: 3,
    stderr: /torn\.jsonl:2: .*not valid JSON/,
  },
  { name: 'zeros.jsonl', bytes: `${good}\n\0\0\0\0\n`, code: 3, stderr: /zeros\.jsonl:2: .*binary data/ },
  { name: 'zeros.json', bytes: Buffer.alloc(5000), code: 3 },
  {
    name: 'utf16le.jsonl',
    bytes: Buffer.from(`\ufeff${good}\n`, 'utf16le'),
    code: 3,
    stderr: /it is UTF-16/,
  },
  { name: 'utf16.jsonl', bytes: Buffer.from(`${good}\n`, 'utf16le'), code: 3, stderr: /it is UTF-16/ },
  { name: 'bom-crlf.jsonl', bytes: `\ufeff${good}\r\n\ufeff${good}\r\n`, code: 0 },
  { name: 'cr.jsonl', bytes: `${good}\r${good}\r`, code: 0 },
  {
    name: 'proto.jsonl',
    bytes: `${good.slice(0, -1)},"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}\n${good}\n`,
    code: 0,
  },
  {
    name: 'proto-lc.json',
    bytes: `[{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"Hi","__proto__":{"polluted":1}}}]`,
    code: 0,
  },
  { name: 'lc.json', bytes: JSON.stringify([constructor('HumanMessage', { content: 'Hi' })]), code: 0 },
  {
    name: 'lc-program.json',
    bytes: JSON.stringify([constructor('../../../../tmp/evil', { content: 'Hi' })]),
    code: 3,
  },
  {
    name: 'lc-secret.json',
    bytes: JSON.stringify([
      constructor('HumanMessage', { content: 'Hi', name: { lc: 1, type: 'secret', id: ['PLANTED_KEY'] } }),
    ]),
    code: 0,
  },
  { name: 'cyclic.jsonl', bytes: [entry(1, 2), entry(2, 1)].join('\n'), code: 3, stderr: /parentId/ },
  { name: 'own-parent.jsonl', bytes: [entry(1, 1), entry(2, 1)].join('\n'), code: 3, stderr: /parentId/ },
  { name: 'duplicate-ids.jsonl', bytes: [entry(1, null), entry(1, null, 'Again')].join('\n'), code: 3 },
  { name: 'deep.jsonl', bytes: `${good}\n${'['.repeat(200_000)}\n`, code: 3, stderr: /deep\.jsonl:2: / },
]

const commands = ['convert --to anthropic --keep-going', 'inspect', 'verify', 'store import']

describe.each(hostileFiles)('$name', ({ name, bytes, code, stderr }) => {
  test.each(commands)('%s', async (command) => {
    await using folder = await Folder.with()
    await writeFile(folder.at(name), bytes)
    const ran = await interlingua([...command.split(' '), name], {
      folder: folder.path,
      environment: { PLANTED_KEY: 'planted-value' },
    })
    expect([ran.code, ran.stderr]).toEqual([code, expect.any(String)])
    if (stderr !== undefined) expect(ran.stderr).toMatch(stderr)
    expect(ran.stderr + ran.stdout).not.toMatch(/planted-value|\n\s+at .*\.[jt]s:\d+|unknown reason/)
    expect(Object.prototype).not.toHaveProperty('polluted')
  })
})

const LARGE_MEGABYTES = process.env['SOAK'] ? 1000 : 20

describe('memory', () => {
  /** Prints the most memory that the process had, in bytes, to a third stream. */
  const PRELOAD = `data:text/javascript,import{writeSync}from'node:fs';process.on('exit',()=>writeSync(3,String(process.resourceUsage().maxRSS*1024)))`

  async function measure(
    file: string,
    folder: Folder,
  ): Promise<{ code: unknown; stderr: string; peak: number }> {
    const { main } = await built()
    const words = [
      `--import=${PRELOAD}`,
      main,
      'convert',
      file,
      '--to',
      'gemini',
      '--keep-going',
      // Threads, which only a large file starts, need memory of their own.
      '--threads',
      '1',
      '-o',
      'out',
    ]
    const child = spawn(process.execPath, words, {
      cwd: folder.path,
      env: environment(folder.path),
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      timeout: CHILD_LIMIT_MS,
    })
    let stderr = ''
    let peak = ''
    child.stdio[2]?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    child.stdio[3]?.on('data', (chunk: Buffer) => (peak += chunk.toString()))
    const [code] = (await once(child, 'close')) as [unknown]
    return { code, stderr, peak: Number(peak) }
  }

  test('a line of 200 MB is skipped, and needs no more memory than the limit of a line', async () => {
    await using folder = await Folder.with({ 'small.jsonl': `${good}\n${good}\n`, 'long.jsonl': `${good}\n` })
    await truncate(folder.at('long.jsonl'), 200 * 1024 * 1024)
    await writeFile(folder.at('long.jsonl'), `\n${good}\n`, { flag: 'a' })
    const small = await measure('small.jsonl', folder)
    const long = await measure('long.jsonl', folder)
    expect(long.code).toBe(3)
    expect(long.stderr).toMatch(/^long\.jsonl:2: The line is longer than 67108864 bytes/)
    expect(long.stderr).toMatch(/^2 converted, 1 failed$/m)
    const lineLimit = 64 * 1024 * 1024
    expect(long.peak).toBeLessThan(small.peak + 3 * lineLimit)
  })

  /** Every so many lines, one is torn. */
  const TORN_EVERY = 7

  test(`a file of ${LARGE_MEGABYTES} MB with torn lines needs little memory, and its good lines are converted`, async () => {
    const long = JSON.stringify({
      ...request,
      messages: [{ role: 'user', content: 'A long text. '.repeat(80_000) }],
    })
    await using folder = await Folder.with({ 'small.jsonl': `${good}\n`, 'large.jsonl': '' })
    const file = await open(folder.at('large.jsonl'), 'w')
    const lineCount = Math.ceil((LARGE_MEGABYTES * 1_000_000) / long.length)
    for (let line = 1; line <= lineCount; line++)
      await file.write(`${line % TORN_EVERY === 0 ? long.slice(0, -9) : long}\n`)
    await file.close()
    const small = await measure('small.jsonl', folder)
    const large = await measure('large.jsonl', folder)
    const tornCount = Math.floor(lineCount / TORN_EVERY)
    expect(large.code).toBe(tornCount > 0 ? 3 : 0)
    const torn = Array.from(large.stderr.matchAll(/^large\.jsonl:(\d+): /gm), ([, line]) => Number(line))
    expect(torn).toEqual(Array.from({ length: tornCount }, (_, index) => (index + 1) * TORN_EVERY))
    expect(large.stderr).toMatch(new RegExp(`^${lineCount - tornCount} converted, ${tornCount} failed$`, 'm'))
    if (process.env['SOAK'])
      console.log(`${LARGE_MEGABYTES} MB: ${Math.round(large.peak / 1e6)} MB of memory at most`)
    expect(large.peak).toBeLessThan(small.peak + 256 * 1024 * 1024)
  })
})

const BRANCHES = process.env['SOAK'] ? 100_000 : 1000

test(`a tree with ${BRANCHES} branches is imported and exported`, async () => {
  const text = (own: string, parent: string | undefined): string =>
    JSON.stringify({
      section: 'messages',
      interlingua: 1,
      message: {
        id: own,
        ...(parent !== undefined && { parentId: parent }),
        role: 'user',
        content: [{ type: 'text', text: own }],
      },
    })
  const head = {
    interlingua: 1,
    session: {
      id: 'session_tree',
      title: 'tree',
      labels: [],
      parameters: {},
      createdAt: '2026-11-16T11:52:27.400Z',
      updatedAt: '2026-11-16T11:52:27.417Z',
    },
    sections: [{ name: 'messages', head: 'm0' }],
  }
  const lines = Array.from({ length: BRANCHES }, (_, index) => text(`m${index}`, 'root'))
  const tree = `${[JSON.stringify(head), text('root', undefined), ...lines].join('\n')}\n`
  await using folder = await Folder.with({ 'tree.jsonl': tree })
  const options = { folder: folder.path }
  expect(await interlingua(['store', 'import', 'tree.jsonl'], options)).toMatchObject({ code: 0 })
  const { code, stdout } = await interlingua(['store', 'export', 'session_tree'], options)
  expect(code).toBe(0)
  expect(stdout.trimEnd().split('\n')).toHaveLength(BRANCHES + 2)
})
