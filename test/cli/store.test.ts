import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { assistant, dialects, type Message, toolCall, toolResult, toolResults, user } from 'interlingua'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { toJsonlPath, openStore } from '../../src/cli/store/open-store.ts'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import * as sqlite from '../../src/stores/sqlite/sqlite-database.ts'
import { InterlinguaError } from '../../src/errors.ts'
import { Folder, interlingua, type Ran } from './run-command.ts'
import { request } from './input-fixtures.ts'
import { createSilentTerminal } from './silent-terminal.ts'

let folder: Folder
beforeEach(async () => {
  folder = await Folder.with({ 'request.json': JSON.stringify(request) })
  return () => folder[Symbol.asyncDispose]()
})

/** Every test runs on both file types. */
const KINDS = ['store.jsonl', 'store.db'] as const

const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const conversation: readonly Message[] = [
  user('How warm is it?', { id: 'm1' }),
  assistant(call, { id: 'm2' }),
  toolResults([toolResult(call, 'cold')], { id: 'm3' }),
  assistant('Cold.', { id: 'm4' }),
]

describe.each(KINDS)('store in %s', (name) => {
  const run = (...words: readonly string[]): Promise<Ran> =>
    interlingua(words, { folder: folder.path, environment: { INTERLINGUA_STORE: folder.at(name) } })

  beforeEach(async () => {
    const { storage } = await openStore(folder.at(name), createSilentTerminal(folder.path))
    await storage.createSession({ id: 'session_a', title: 'Oslo', labels: ['travel'] })
    await storage.append('session_a', conversation)
    await storage.setHead('session_a', 'm1')
    await storage.append('session_a', assistant('No idea.', { id: 'm5' }))
    await storage.close()
  })

  test('show prints the current branch and the number of branches', async () => {
    const { code, stdout } = await run('store', 'show', 'session_')
    expect(code).toBe(0)
    expect(stdout).toMatch(/No idea\.\n2 branches\n$/)
    const json = await run('store', 'show', 'session_a', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({
      session: { id: 'session_a' },
      messages: [{ id: 'm1' }, { id: 'm5' }],
    })
  })

  test('search finds messages on all branches, and takes filters', async () => {
    const { code, stdout } = await run('store', 'search', 'cold')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^session_a {2}\S+ \S+ {2}assistant \(other branch\) {2}Cold\.\nsession_a/)
    const found = await run('store', 'search', 'oslo', '--tool', 'weather', '--session', 'session_', '--json')
    expect(JSON.parse(found.stdout)).toMatchObject([{ message: 'm2', isCurrent: false }])
    expect(await run('store', 'search', 'cold', '--before', '2001-01-01')).toMatchObject({
      code: 0,
      stdout: '',
    })
    expect(await run('store', 'search', 'cold', '--after', 'noon')).toMatchObject({ code: 3 })
    expect(await run('store', 'search', 'cold', '--role', 'robot')).toMatchObject({ code: 2 })
  })

  test('an export that is imported elsewhere is identical, branches and labels included', async () => {
    expect(await run('store', 'export', 'session_a', '-o', 'a.jsonl')).toMatchObject({ code: 0 })
    const elsewhere = ['--store', 'elsewhere.jsonl']
    expect(await run('store', 'import', 'a.jsonl', ...elsewhere)).toMatchObject({
      code: 0,
      stdout: 'session_a\n',
    })
    const again = await run('store', 'export', 'session_a', ...elsewhere)
    expect(again.stdout).toBe(await folder.read('a.jsonl'))
    expect((await run('store', 'import', 'a.jsonl', ...elsewhere)).code).toBe(1)
  })

  test('an import states how many entries of the tool call log it does not trust', async () => {
    const { storage } = await openStore(folder.at(name), createSilentTerminal(folder.path))
    await storage.append('session_a', 'Entry', { section: '~tool-calls' })
    await storage.close()
    expect((await run('store', 'export', 'session_a', '-o', 'a.jsonl')).code).toBe(0)
    const imported = await run('store', 'import', 'a.jsonl', '--store', 'elsewhere.jsonl')
    expect(imported).toMatchObject({ code: 0, stdout: 'session_a\n' })
    expect(imported.stderr).toMatch(/^1 entry of the tool call log of this export is not trusted: /)
    const json = await run('store', 'import', 'a.jsonl', '--store', 'third.jsonl', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({ untrustedLogEntries: 1 })
  })

  test.each(Object.values(dialects).map((dialect) => dialect.name))(
    'exports a request for %s',
    async (to) => {
      const { code, stdout } = await run('store', 'export', 'session_a', '--to', to)
      expect(code).toBe(0)
      expect(
        [...dialects[to].decodeRequest(JSON.parse(stdout)).value.messages].map(({ role }) => role),
      ).toEqual(['user', 'assistant'])
    },
  )

  test('imports any format, and reports what it cannot read', async () => {
    const { stdout } = await run('store', 'import', 'request.json', '--title', 'A request', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ title: 'A request' })
    writeFileSync(folder.at('bad.jsonl'), `${JSON.stringify(request)}\n{\n`)
    const bad = await run('store', 'import', 'bad.jsonl')
    expect(bad.code).toBe(3)
    expect(bad.stderr).toContain('bad.jsonl:2: The input is not valid JSON')
  })

  test('reports the tools and settings of a request, which a session does not have', async () => {
    const tools = [{ name: 'weather', input_schema: { type: 'object', properties: {} } }]
    const body = {
      model: 'claude-sonnet-5',
      max_tokens: 9,
      temperature: 0.5,
      tools,
      messages: [{ role: 'user', content: 'Hi' }],
    }
    writeFileSync(folder.at('tools.json'), JSON.stringify(body))
    const { code, stderr } = await run('store', 'import', 'tools.json', '--json')
    expect(code).toBe(0)
    for (const path of ['/tools', '/temperature']) expect(stderr).toContain(path)
  })

  test('migrate reports that the tables are up to date', async () => {
    expect(await run('store', 'migrate')).toMatchObject({
      code: 0,
      stdout: `The tables of ${folder.at(name)} are up to date.\n`,
    })
    const { stdout } = await run('store', 'migrate', '--json')
    expect(JSON.parse(stdout)).toEqual({ store: folder.at(name), migrated: true })
  })

  test('verify finds no damage, and prune removes old sessions only with --yes', async () => {
    expect((await run('store', 'verify', '--json')).stdout).toBe('[]\n')
    expect((await run('store', 'prune', '--days', '0')).stderr).toBe(
      '1 would be removed; pass --yes to remove them\n',
    )
    expect((await run('store', 'prune', '--keep-last', '1')).stderr).toContain('0 would be removed')
    const prune = ['store', 'prune', '--days', '0', '--archive', 'archive', '--yes', '--json']
    const { stdout } = await run(...prune)
    const receipt = { sessionCount: 1, deleted: [{ id: 'session_a' }], kept: [] }
    expect(JSON.parse(stdout)).toMatchObject({ removed: true, sessions: [{ id: 'session_a' }], receipt })
    const [file = ''] = readdirSync(folder.at('archive'))
    expect(statSync(folder.at(`archive/${file}`)).mode & 0o777).toBe(0o600)
    expect(await run('store', 'import', `archive/${file}`)).toMatchObject({ code: 0 })
    expect((await run('store', 'prune', '--days', '0', '--yes')).code).toBe(0)
    expect((await run('store', 'list', '--json')).stdout).toBe('[]\n')
  })

  test('an unknown or ambiguous id', async () => {
    expect(await run('store', 'show', 'nothing')).toMatchObject({ code: 3 })
    expect(await run('store', 'import', 'request.json')).toMatchObject({ code: 0 })
    expect((await run('store', 'show', 'session')).stderr).toContain('2 conversation ids start with session')
  })
})

describe('the file', () => {
  test('damage is found: exit code 5', async () => {
    const words = { folder: folder.path }
    await interlingua(['store', 'import', 'request.json'], words)
    const text = readFileSync(folder.at('store.jsonl'), 'utf8')
    writeFileSync(folder.at('store.jsonl'), text.replace('How warm', 'How cold'))
    const { code, stdout } = await interlingua(['store', 'verify'], words)
    expect(code).toBe(5)
    expect(stdout).not.toBe('')
  })

  test('a missing store is empty, and reading does not create it', async () => {
    const store = folder.at('nowhere/x.db')
    for (const words of [['list'], ['verify'], ['prune', '--days', '1']])
      expect(await interlingua(['store', ...words, '--store', store])).toMatchObject({ code: 0 })
    expect(existsSync(folder.at('nowhere'))).toBe(false)
  })

  test('its default path is in the user data folder, and private', async () => {
    const environment = { INTERLINGUA_STORE: undefined, XDG_DATA_HOME: folder.at('data') }
    await interlingua(['store', 'import', 'request.json'], { folder: folder.path, environment })
    expect(readdirSync(folder.at('data/interlingua')).some((name) => name.startsWith('conversations.'))).toBe(
      true,
    )
  })

  test('without SQLite, a JSONL file is used and a notice is printed', async () => {
    const missing = new InterlinguaError('missing-package', 'none', { hint: 'Install it.' })
    const open = vi.spyOn(sqlite, 'openSqliteDatabase').mockRejectedValue(missing)
    const words = ['store', 'import', 'request.json', '--store', 'kept.db']
    const { code, stderr } = await interlingua(words, { folder: folder.path })
    open.mockRestore()
    // Once SQLite is available again, the same store is used.
    const listed = await interlingua(['store', 'list', '--store', 'kept.db'], { folder: folder.path })
    expect(code).toBe(0)
    expect(stderr).toContain(
      `SQLite is not available in this version of Node. Conversations are stored in ${folder.at('kept.jsonl')}. Install it.`,
    )
    expect(toJsonlPath(folder.at('kept.db'))).toBe(folder.at('kept.jsonl'))
    expect(existsSync(folder.at('kept.db'))).toBe(false)
    expect(listed.stdout).toContain('request.json')
  })
})

test.each([[['store', 'search', 'needle']], [['store', 'migrate', '--search']]])(
  '%j creates the index of a SQLite store that has none',
  async (words) => {
    const application = await sqliteStorage(folder.at('old.db'))
    await application.createSession({ id: 's' })
    await application.append('s', 'needle')
    const run = (...all: readonly string[]): Promise<Ran> =>
      interlingua([...all, '--store', 'old.db'], { folder: folder.path })
    expect(await run('store', 'list')).toMatchObject({ code: 0 })
    await expect(application.search({ query: 'needle' })).rejects.toMatchObject({ code: 'unsupported' })
    expect(await run(...words)).toMatchObject({ code: 0, stderr: '' })
    await application.append('s', 'another needle')
    expect((await application.search({ query: 'needle' })).hits).toHaveLength(2)
    await application.close()
  },
)
