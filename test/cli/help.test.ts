import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { EXIT_CODES } from '../../src/cli/exit-codes.ts'
import { getCommandExamples } from '../../src/cli/command-examples.ts'
import { listCommands, createProgram } from '../../src/cli/program.ts'
import { jsonlStorage } from '../../src/stores/jsonl/index.ts'
import { Folder, interlingua } from './run-command.ts'
import { files } from './input-fixtures.ts'
import { typed } from './run-shell-line.ts'
import { createSilentTerminal } from './silent-terminal.ts'

const nowhere = createSilentTerminal('.')
const program = await createProgram(nowhere)
const leaves = listCommands(program).filter(({ commands }) => commands.length === 0)
const nameOf = (command: (typeof leaves)[number]): string =>
  command.parent === program ? command.name() : `${command.parent?.name()} ${command.name()}`
const commands = leaves.map((command) => [nameOf(command), command] as const)
const docs = readFileSync(new URL('../../docs/guide/command-line.md', import.meta.url), 'utf8')

/** Commands whose output is not data: a shell script, a guided tour. */
const WITHOUT_JSON = ['completion', 'demo']

/** Commands that run until they are interrupted. */
const SERVERS = ['mock', 'serve', 'studio']

describe.each(commands)('%s', (name, command) => {
  test('shows its options, a summary and examples', async () => {
    const { code, stdout, stderr } = await interlingua([...name.split(' '), '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`Usage: interlingua ${name}`)
    expect(stdout).toContain('Examples:\n')
    expect(command.summary()).not.toBe('')
  })

  test('has --json, unless its output is not data', () => {
    const has = command.options.some(({ long }) => long === '--json')
    expect(has).toBe(!WITHOUT_JSON.includes(name))
  })

  test('rejects an unknown option', async () => {
    const { code, stderr } = await interlingua([...name.split(' '), '--nonsense'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/unknown option '--nonsense'|required option '.*' not specified/)
  })

  test('is in docs/guide/command-line.md', () => expect(docs).toContain(`\`interlingua ${name}`))

  test.each(getCommandExamples(command))('example: %s', async (_what, line) => {
    const config = { 'gateway.json': JSON.stringify({ routes: [{ model: '*', to: 'ollama:*' }] }) }
    await using folder = await Folder.with({ ...files, ...(line.includes('gateway.json') && config) })
    await using kept = await Folder.with()
    const store = kept.at('store.jsonl')
    const storage = await jsonlStorage(store)
    await storage.createSession({ id: 'session_example', title: 'The weather' })
    await storage.append('session_example', user('How warm is it?', { id: 'msg_1' }))
    await storage.close()
    if (line.includes('store.jsonl')) copyFileSync(store, folder.at('store.jsonl'))
    const isServer = SERVERS.includes(name) && !line.includes('--for')
    const ran = await typed(line, {
      folder: folder.path,
      environment: { INTERLINGUA_STORE: store },
      ...(isServer && { signal: AbortSignal.timeout(500) }),
    })
    expect(ran, line).toMatchObject({ code: isServer ? 130 : 0 })
    const made = line.includes('grep') ? undefined : / (?:>|-o) (\S+)/.exec(line)?.[1]
    if (made !== undefined) expect(existsSync(folder.at(made))).toBe(true)
    if (/--json(?! \|)/.test(line)) expect(() => JSON.parse(ran.stdout) as unknown).not.toThrow()
  })
})

describe('exit codes', () => {
  test('match the table in docs/guide/command-line.md', () => {
    const rows = [...docs.matchAll(/^\| (\d+) +\| (.+?) +\|$/gm)].map(([, code, meaning]) => [
      Number(code),
      meaning,
    ])
    expect(rows).toEqual(Object.values(EXIT_CODES).map(([code, meaning]) => [code, meaning]))
  })

  test.each([
    [0, ['--version']],
    [0, ['--help']],
    [2, []],
    [2, ['nonsense']],
    [2, ['convert', 'x.json']],
    [2, ['convert', 'x.json', '--to', 'klingon']],
    [2, ['convert', 'x.json', '--to', 'gemini', '--flavor', 'vanilla']],
    [2, ['store', 'prune', '--days', 'many']],
    [2, ['store', 'list', '--limit', '-1']],
    [2, ['chat', 'Hi', '--model', 'unknown:unknown']],
    [3, ['convert', 'x.json', '--to', 'gemini']],
    [3, ['inspect', 'x.json']],
    [3, ['verify', 'x']],
    [3, ['store', 'show', 'nothing']],
  ])('%i: interlingua %j', async (code, words) => {
    await using folder = await Folder.with()
    expect((await interlingua(words, { folder: folder.path })).code).toBe(code)
  })
})

test.each([
  [['convert', 'x.json', '--to', 'antropic'], 'anthropic'],
  [['convert', 'x.json', '--to', 'gemini', '--from', 'gemni'], 'gemini'],
  [['convert', 'x.json', '--to', 'gemini', '--flavor', 'openruter'], 'openrouter'],
  [['convert', 'x.json', '--to', 'gemini', '--kind', 'requests'], 'request'],
  [['completion', 'bsh'], 'bash'],
  [['doctor', 'antropic'], 'anthropic'],
  [['serve', '--for', 'claude_code'], 'claude'],
  [['store', 'search', 'x', '--role', 'assistent'], 'assistant'],
])('suggests a similar name: interlingua %j', async (words, name) => {
  await using folder = await Folder.with()
  const { stderr } = await interlingua(words, { folder: folder.path })
  expect(stderr).toMatch(new RegExp(` is invalid.*\\. Use \`${name}.*\` ?.*\\. Allowed choices are `))
})

describe('errors with --json', () => {
  test.each([
    [['convert', '--json']],
    [['convert', '--to', 'klingon', '--json']],
    [['inspect', 'x.json', '--nonsense', '--json']],
    [['nonsense', '--json']],
    [['inspect', 'x.json', '--json']],
    [['store', 'show', 'nothing', '--json']],
    [['chat', 'Hi', '--model', 'unknown:unknown', '--json']],
  ])('are JSON: interlingua %j', async (words) => {
    await using folder = await Folder.with()
    const { code, stdout, stderr } = await interlingua(words, { folder: folder.path })
    expect([code > 0, stdout]).toEqual([true, ''])
    expect(JSON.parse(stderr)).toEqual(
      expect.objectContaining({ type: 'error', message: expect.not.stringMatching(/^error/) as string }),
    )
  })
})

describe('an unknown command', () => {
  test.each([
    ['conver', 'convert'],
    ['doctr', 'doctor'],
  ])('%s: the intended command is suggested', async (typo, meant) => {
    const { code, stderr } = await interlingua([typo])
    expect([code, stderr.includes(`Did you mean ${meant}?`)]).toEqual([2, true])
  })
})

/** Returns all files that a file imports statically. */
function needed(file: URL, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file.pathname)) return found
  found.add(file.pathname)
  const text = readFileSync(file, 'utf8')
  for (const [, path = ''] of text.matchAll(/^(?:import|export) (?!type )[^;]*? from '(\..*)'$/gm))
    needed(new URL(path, file), found)
  return found
}

test('the help loads neither dialects, nor stores, nor providers', () => {
  const files = needed(new URL('../../src/cli/main.ts', import.meta.url))
  expect(
    [...files].filter((path) => /\/src\/(dialects|stores|providers|client|canonical)\//.test(path)),
  ).toEqual([])
  expect(files.size).toBeLessThan(20)
})

const hasBash = spawnSync('bash', ['--version']).error === undefined

describe('completion', () => {
  const script = async (name: string): Promise<string> => (await interlingua(['completion', name])).stdout

  test.each([
    ['', ['convert', 'chat', 'store']],
    ['convert --to ', ['anthropic', 'gemini', 'interlingua']],
    ['store ', ['list', 'export', 'prune']],
    ['store export --', ['--to', '--output', '--store']],
    ['completion ', ['bash', 'zsh', 'fish']],
  ])('bash completes "interlingua %s"', async (typed, expected) => {
    await using folder = await Folder.with({ script: await script('bash') })
    const words = `interlingua ${typed}`.split(' ')
    const lines = [
      '. ./script',
      `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`,
      `COMP_CWORD=${words.length - 1}`,
      '_interlingua',
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ]
    if (!hasBash) return console.warn('bash is not installed: its completion is not tested')
    const stdout = execFileSync('bash', ['-c', lines.join('\n')], { cwd: folder.path, encoding: 'utf8' })
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(expected))
  })

  test('fish completes the choices of an option', async () => {
    const lines = (await script('fish')).split('\n')
    for (const flag of ['-l to', '-s t', '-l from'])
      expect(lines).toContainEqual(
        expect.stringMatching(new RegExp(`^complete -c interlingua ${flag} -x -a '.*anthropic.*'$`)),
      )
  })

  test.each(['zsh', 'fish'])('%s completes every command', async (name) => {
    const text = await script(name)
    for (const [command] of commands) for (const word of command.split(' ')) expect(text).toContain(word)
  })
})
