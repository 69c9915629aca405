import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import {
  assistant,
  dialects,
  type Message,
  reasoning,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { jsonlStorage } from '../../src/stores/jsonl/index.ts'
import { Folder, interlingua } from './run-command.ts'
import { request } from './input-fixtures.ts'

const text = JSON.stringify(request)

describe('unexpected input', () => {
  const inputs: Readonly<Record<string, readonly [Buffer, RegExp]>> = {
    'compressed with gzip': [gzipSync(text), /gzip/],
    'UTF-16, little-endian': [Buffer.from(`\ufeff${text}`, 'utf16le'), /UTF-16/],
    'UTF-16, big-endian': [Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), /UTF-16/],
    'UTF-16 without a mark': [Buffer.from(text, 'utf16le'), /UTF-16/],
    empty: [Buffer.from(''), /empty/],
    blank: [Buffer.from(' \n\r\n '), /empty/],
    binary: [Buffer.from([0xff, 0x00, 0x80, 0x10]), /not valid JSON/],
  }

  test.each(Object.entries(inputs))('%s is reported', async (_name, [bytes, reason]) => {
    await using folder = await Folder.with()
    const file = await open(folder.at('in.json'), 'w')
    await file.writeFile(bytes)
    await file.close()
    for (const words of [['convert', '--to', 'gemini'], ['inspect'], ['verify'], ['store', 'import']]) {
      const { code, stderr } = await interlingua([...words, 'in.json'], { folder: folder.path })
      expect([words[0], code]).toEqual([words[0], 3])
      expect(stderr).toMatch(reason)
      expect(stderr).toContain('in.json')
    }
  })

  test('a byte order mark and CR LF line breaks are accepted', async () => {
    await using folder = await Folder.with({
      'a.json': `\ufeff${text}`,
      'b.jsonl': `\ufeff${text}\r\n${text}\r\n`,
    })
    const one = await interlingua(['convert', 'a.json', '--to', 'gemini'], { folder: folder.path })
    const two = await interlingua(['convert', 'b.jsonl', '--to', 'gemini'], { folder: folder.path })
    const body = dialects.gemini.encodeRequest(dialects['openai-chat'].decodeRequest(request).value).value
    expect(JSON.parse(one.stdout)).toEqual(body)
    expect(
      two.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([body, body])
  })
})

describe('--output', () => {
  const convert = (folder: Folder, target: string): ReturnType<typeof interlingua> =>
    interlingua(['convert', 'in.json', '--to', 'gemini', '-o', target], { folder: folder.path })

  test('may be the input file', async () => {
    await using folder = await Folder.with({ 'in.json': text })
    expect((await convert(folder, 'in.json')).code).toBe(0)
    expect(await folder.read('in.json')).toContain('"contents"')
    expect(readdirSync(folder.path)).toEqual(['in.json'])
  })

  test('to a symbolic link writes its target, with the same permissions', async () => {
    await using folder = await Folder.with({ 'in.json': text, 'real.json': 'old' })
    chmodSync(folder.at('real.json'), 0o600)
    symlinkSync('real.json', folder.at('link.json'))
    expect((await convert(folder, 'link.json')).code).toBe(0)
    expect(readFileSync(folder.at('real.json'), 'utf8')).toContain('"contents"')
    expect(statSync(folder.at('real.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder.path).toSorted()).toEqual(['in.json', 'link.json', 'real.json'])
  })

  test('to a device writes to it and does not replace it', async () => {
    await using folder = await Folder.with({ 'in.json': text })
    execFileSync('sh', ['-c', 'mkfifo "$0"', folder.at('pipe')])
    // A process of its own with a time limit: without a writer, this one could not end before the pipe is open.
    const reader = promisify(execFile)('cat', [folder.at('pipe')], { timeout: 60_000 })
    expect((await convert(folder, 'pipe')).code).toBe(0)
    expect((await reader).stdout).toContain('"contents"')
    expect(statSync(folder.at('pipe')).isFIFO()).toBe(true)
    expect(readdirSync(folder.path).toSorted()).toEqual(['in.json', 'pipe'])
  })

  test('to a folder, or into a missing one, is refused, and not as an input error', async () => {
    await using folder = await Folder.with({ 'in.json': text })
    mkdirSync(folder.at('folder'))
    for (const target of ['folder', 'nowhere/out.json']) {
      const { code, stderr } = await convert(folder, target)
      expect([target, code]).toEqual([target, 1])
      expect(stderr).toContain(`${target} cannot be written`)
    }
    expect(readdirSync(folder.path).toSorted()).toEqual(['folder', 'in.json'])
  })
})

describe('the store', () => {
  const environment = { INTERLINGUA_STORE: '' }

  test('is in HOME; an empty HOME is ignored', async () => {
    await using folder = await Folder.with()
    const options = { folder: folder.path }
    await interlingua(['chat', 'Hi'], {
      ...options,
      environment: { ...environment, HOME: folder.at('home') },
    })
    expect(existsSync(folder.at('home/.local/share/interlingua'))).toBe(true)
    expect(statSync(folder.at('home/.local/share/interlingua')).mode & 0o777).toBe(0o700)
    for (const HOME of ['', 'relative']) {
      const { stderr } = await interlingua(['store', 'list', '--search', 'no such title'], {
        ...options,
        environment: { ...environment, HOME, XDG_DATA_HOME: 'relative' },
      })
      expect(stderr).toMatch(/No conversations in \//)
    }
    expect(readdirSync(folder.path)).toEqual(['home'])
  })

  test('that cannot be created is reported with a hint', async () => {
    await using folder = await Folder.with({ file: '' })
    const options = { folder: folder.path, environment: { ...environment, HOME: folder.at('file') } }
    const { code, stderr } = await interlingua(['chat', 'Hi'], options)
    expect(code).toBe(1)
    expect(stderr).toContain('--no-store')
    expect((await interlingua(['chat', 'Hi', '--no-store'], options)).code).toBe(0)
    const doctor = await interlingua(['doctor', '--offline'], options)
    expect(doctor.code).toBe(5)
    expect(doctor.stdout).toMatch(/^broken +store +.*the directory does not exist/m)
    expect(doctor.stdout).toContain('--store')
  })

  test('in a folder that cannot be created does not hang', async () => {
    if (process.platform !== 'linux') return console.warn('this system has no /proc')
    const { code } = await interlingua(['chat', 'Hi'], {
      environment: { ...environment, HOME: '/proc/none' },
    })
    expect(code).toBe(1)
  })

  test('accepts a message whose title would be cut inside a character', async () => {
    await using folder = await Folder.with()
    for (let length = 50; length < 62; length++) {
      const words = `${'x'.repeat(length)}🦜🦜🦜🦜🦜🦜 and more`
      expect(await interlingua(['chat', words], { folder: folder.path })).toMatchObject({ code: 0 })
    }
  })

  test.each([
    ['{"half', 'it is not JSON'],
    ['{"section":"messages"}', 'expected'],
    ['', undefined],
  ])('an export with the line %s is reported with file, line and reason', async (bad, reason) => {
    await using folder = await Folder.with()
    const run = (...words: readonly string[]): ReturnType<typeof interlingua> =>
      interlingua(words, { folder: folder.path })
    await run('chat', 'Secret words')
    const { stdout: list } = await run('store', 'list', '--json')
    const [{ id } = { id: '' }] = JSON.parse(list) as { id: string }[]
    const { stdout } = await run('store', 'export', id)
    const [head = '', first = '', ...rest] = stdout.trimEnd().split('\n')
    const other = head.replace(id, 'session_other')
    writeFileSync(folder.at('in.jsonl'), [other, first, bad, ...rest].join('\n'))
    const { code, stderr } = await run('store', 'import', 'in.jsonl')
    if (reason === undefined) return expect([code, stderr]).toEqual([0, ''])
    expect(code).toBe(3)
    expect(stderr).toMatch(new RegExp(`^in\\.jsonl: Line 3 of the export is invalid: .*${reason}`))
    expect(stderr).not.toContain('half')
  })

  test('imports a deeply nested file', async () => {
    await using folder = await Folder.with()
    const deep = `${'d'.repeat(200)}/${'e'.repeat(200)}`
    mkdirSync(folder.at(deep), { recursive: true })
    const file = await open(folder.at(`${deep}/in.json`), 'w')
    await file.writeFile(text)
    await file.close()
    expect(await interlingua(['store', 'import', `${deep}/in.json`], { folder: folder.path })).toMatchObject({
      code: 0,
    })
  })

  test.each([
    [['store', 'prune', '--days', '1e99'], 0],
    [['store', 'list', '--limit', '1.5'], 2],
    [['store', 'list', '--limit', '0'], 2],
  ])('%j: exit code %i', async (words, code) => {
    await using folder = await Folder.with()
    expect((await interlingua(words, { folder: folder.path })).code).toBe(code)
  })
})

/**
 * Sequences that set the terminal title, ring, change the text direction, or start an 8-bit control sequence.
 */
const EVIL = 'a\u001b]0;x\u0007\u009b2J\u202e\u007f\u200f\u061c\u{e0041}\u001b[31mz'

const OBEYED = /(?![\t\n])\p{Cc}|\p{Cf}|[\p{Zl}\p{Zp}]/u

describe('untrusted text', () => {
  const messages: readonly Message[] = [
    user([EVIL, { type: 'image', source: { kind: 'url', url: EVIL } }], { id: EVIL, name: EVIL }),
    user([
      { type: 'file', name: EVIL, source: { kind: 'base64', data: 'AAAA', mediaType: EVIL } },
      { type: 'file', source: { kind: 'id', id: EVIL, provider: EVIL } },
      { type: 'opaque', dialect: EVIL, value: EVIL },
    ]),
    assistant([reasoning(EVIL), EVIL, toolCall({ id: EVIL, name: EVIL, arguments: { [EVIL]: EVIL } })]),
    toolResults([toolResult(EVIL, EVIL)]),
    assistant({ type: 'refusal', text: EVIL }),
  ]

  test('never controls the terminal, whichever command prints it', async () => {
    const body = { model: EVIL, messages: [{ role: 'user', content: EVIL, [EVIL]: EVIL }], [EVIL]: EVIL }
    await using folder = await Folder.with({ [`${EVIL.replaceAll('/', '')}.json`]: JSON.stringify(body) })
    await using kept = await Folder.with()
    const storage = await jsonlStorage(kept.at('s.jsonl'))
    await storage.createSession({ id: EVIL, title: EVIL, labels: [EVIL] })
    await storage.append(EVIL, messages)
    await storage.setHead(EVIL, EVIL)
    await storage.append(EVIL, 'Another branch')
    await storage.close()
    const [file = ''] = readdirSync(folder.path)
    const options = {
      folder: folder.path,
      tty: true,
      environment: { INTERLINGUA_STORE: kept.at('s.jsonl'), NO_COLOR: '1' },
    }
    const lines: readonly (readonly string[])[] = [[], ['--json']].flatMap((json) => [
      ['inspect', file, ...json],
      ['convert', file, '--to', 'anthropic', ...json],
      ['convert', file, '--to', 'interlingua', ...json],
      ['verify', '.', ...json],
      ['store', 'list', ...json],
      ['store', 'show', EVIL, ...json],
      ['store', 'verify', ...json],
      ['store', 'show', `${EVIL} not there`, ...json],
      ['inspect', `${file} not there`, ...json],
      ['store', 'export', EVIL, ...json],
      ['store', 'export', EVIL, '--to', 'ollama', ...json],
      ['store', 'prune', '--days', '0', ...json],
      ['chat', EVIL, '--no-store', ...json],
      ['chat', 'Hi', '--model', EVIL, ...json],
      [EVIL, ...json],
    ])
    for (const words of lines) {
      const { stdout, stderr } = await interlingua(words, options)
      expect([words, OBEYED.exec(stdout + stderr)?.[0]]).toEqual([words, undefined])
    }
    const input = `/resume ${EVIL}\n/history\n/branches\n/sessions\n/usage\n/model ${EVIL}:x\n`
    const { stdout, stderr } = await interlingua(['chat'], { ...options, input })
    expect(stderr).toContain('Another branch')
    expect(OBEYED.exec(stdout + stderr)?.[0]).toBeUndefined()
  })
})

test('a base URL is shown without its credentials', async () => {
  const environment = {
    ANTHROPIC_API_KEY: 'sk-secret',
    ANTHROPIC_BASE_URL: 'https://ada:passw0rd@proxy.example/v1?token=abc#frag',
    OPENAI_BASE_URL: 'no address: passw0rd',
  }
  for (const words of [
    ['providers', '--json'],
    ['providers'],
    ['doctor', '--offline'],
    ['doctor', '--offline', '--json'],
  ]) {
    const { stdout } = await interlingua(words, { environment })
    expect(stdout).not.toMatch(/passw0rd|sk-secret|token=|ada:/)
    if (words.length === 2 && words[0] === 'providers') expect(stdout).toContain('https://proxy.example/v1')
  }
})
