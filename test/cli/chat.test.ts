import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { anthropic } from '../providers/fakes/anthropic.ts'
import { type Fake, sends, startFake, streams } from '../providers/fakes/server.ts'
import { Folder, interlingua, type Ran } from './run-command.ts'

let folder: Folder
beforeEach(async () => {
  folder = await Folder.with()
  return () => folder[Symbol.asyncDispose]()
})

/** Lines that are piped into a chat. */
function piped(lines: readonly string[], words: readonly string[] = []): Promise<Ran> {
  return interlingua(['chat', ...words], { folder: folder.path, input: lines.join('\n') })
}

describe('chat, through a pipe', () => {
  test('answers each line, and remembers', async () => {
    const { code, stdout } = await piped(['How is the weather in Oslo?', '', 'Hello'])
    expect(code).toBe(0)
    expect(stdout).toContain('weather says: city: Oslo, celsius: 4.\n')
    expect(stdout).toContain('You said: “Hello”\n')
    expect((await piped(['/history'], ['--continue'])).stderr).toMatch(/^ {2}5 user {8}Hello$/m)
  })

  test('branches, and goes back to the other branch', async () => {
    const lines = ['First', '/branch', 'Second', '/branches', '/branches 1', '/history']
    const { code, stderr } = await piped(lines)
    expect(code).toBe(0)
    expect(stderr).toContain('0 messages are kept; what followed stays as a branch.')
    expect(stderr.match(/\(here\)/g)).toHaveLength(2)
    expect(stderr).toMatch(/^ {2}1 user {8}First$/m)
  })

  test('resumes an earlier conversation, or begins a new one', async () => {
    await piped(['About apples'])
    await piped(['About pears'])
    const { stdout } = await interlingua(['store', 'list', '--search', 'apples', '--json'], {
      folder: folder.path,
    })
    const [{ id = '' } = {}] = JSON.parse(stdout) as { id?: string }[]
    const { stderr } = await piped([
      '/sessions',
      `/resume ${id}`,
      '/new',
      '/resume',
      '/tools',
      '/usage',
      'Hi',
      '/usage',
      '/help',
    ])
    expect(stderr).toContain(`About apples (${id}), 2 messages.`)
    expect(stderr).toContain('A new conversation.')
    expect(stderr).toContain('About pears')
    expect(stderr).toMatch(/^weather {2}The weather of a city/m)
    expect(stderr).toMatch(/^Nothing yet\.\n\d+ tokens in, \d+ out$/m)
    expect(stderr).toMatch(/^\/quit +end the chat$/m)
  })

  test.each([
    ['/nonsense', 'There is no /nonsense'],
    ['/branch', 'Nothing has been said yet'],
    ['/branch 9', '9 is no number from 0 to 0'],
    ['/resume', 'There is no earlier conversation'],
    ['/model nobody:x', 'Unknown model'],
  ])('%s is an error, and ends it where nobody sits in front of it', async (line, reason) => {
    const { code, stderr, stdout } = await piped([line, 'Hello'])
    expect(stderr).toContain(reason)
    expect(code).not.toBe(0)
    expect(stdout).toBe('')
  })

  test('--no-store keeps nothing, --json gives a line for each answer', async () => {
    const { stdout } = await piped(['One', 'Two'], ['--no-store', '--json'])
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { text: string; session: string })
    expect(answers.map(({ text }) => /“(.*)”/.exec(text)?.[1])).toEqual(['One', 'Two'])
    expect(answers[0]?.session).toBe(answers[1]?.session)
    expect((await interlingua(['store', 'list', '--json'], { folder: folder.path })).stdout).toBe('[]\n')
  })

  test('a line that begins with a path is no command', async () => {
    const { code, stdout } = await piped(['/etc/hosts is what?', '/usr'.repeat(2)])
    expect(code).toBe(0)
    expect(stdout).toContain('You said: “/etc/hosts is what?”')
    expect(stdout).toContain('You said: “/usr/usr”')
  })

  test('what a model says cannot command the terminal', async () => {
    const { stdout } = await interlingua(['chat', 'Say \u001b[2J\u0007 it'], { folder: folder.path })
    expect(stdout).not.toMatch(/(?![\t\n])\p{Cc}/u)
    expect(stdout).toContain('\\u001b[2J')
  })
})

describe('chat with a provider', () => {
  let fake: Fake
  beforeAll(async () => {
    fake = await startFake(streams(anthropic.events, anthropic.streamType))
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-secret-key')
    vi.stubEnv('ANTHROPIC_BASE_URL', fake.url)
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    return fake.close()
  })

  test('is told what was said to another model, and the system text', async () => {
    const lines = ['weather in Oslo', '/model anthropic:claude-fake', 'Thanks']
    const { code, stdout } = await piped(lines, ['--system', 'Be brief.'])
    expect({ code, end: stdout.endsWith('Hello there.\n') }).toEqual({ code: 0, end: true })
    const sent = fake.requests.at(-1)
    expect(sent?.headers.authorization).toBe('Bearer sk-secret-key')
    expect(sent?.body).toMatchObject({ model: 'claude-fake', system: [{ text: 'Be brief.' }] })
    expect(sent?.text).toContain('tool_result')
  })

  test('a refusal is exit code 6, with what to do, and without the key', async () => {
    fake.next(sends(anthropic.error(401, 'invalid x-api-key sk-secret-key'), 401))
    const ran = await interlingua(['chat', 'Hi', '--model', 'anthropic:claude-fake'], { folder: folder.path })
    expect(ran).toMatchObject({ code: 6, stdout: '' })
    expect(ran.stderr).toContain('Check the API key.')
    expect(ran.stderr).not.toContain('sk-secret-key')
  })

  test('doctor asks it, and says when it refuses', async () => {
    const environment = { ANTHROPIC_API_KEY: 'sk-secret-key', OLLAMA_HOST: '127.0.0.1:9' }
    fake.next(sends({ data: [{ id: 'claude-a' }, { id: 'claude-b' }], has_more: false }))
    const well = await interlingua(['doctor'], { folder: folder.path, environment })
    expect(well.code).toBe(0)
    expect(well.stdout).toMatch(/^ok +anthropic +answers, 2 models$/m)
    expect(well.stdout).toContain('interlingua chat --model anthropic:MODEL')
    fake.next(sends(anthropic.error(401, 'no'), 401))
    const ill = await interlingua(['doctor', '--json'], { folder: folder.path, environment })
    expect(ill.code).toBe(5)
    const { checks } = JSON.parse(ill.stdout) as { checks: { name: string; state: string; next?: string }[] }
    expect(checks.find(({ name }) => name === 'anthropic')).toMatchObject({
      state: 'broken',
      next: 'Check the API key.',
    })
    expect(well.stdout + ill.stdout).not.toContain('sk-secret-key')
  })
})

describe('chat with tools from MCP', () => {
  const server = fileURLToPath(new URL('../../examples/servers/weather-mcp.js', import.meta.url))
  const mcp = ['--mcp', `'${process.execPath}' "${server}"`, '--model', 'demo']

  test('lists them, and asks before it runs one; nobody to ask means no', async () => {
    const { stdout, stderr } = await piped(['/tools', 'Show the gallery'], mcp)
    expect(stderr).toMatch(/^gallery/m)
    expect(stdout).toContain('Nobody is there to allow it')
  })

  test('--allow-tools runs them', async () => {
    const { stdout } = await piped(['Show the gallery'], [...mcp, '--allow-tools'])
    expect(stdout).toContain('Look and listen:')
  })

  test('a server that is not there is an error', async () => {
    const { code, stderr } = await piped(['Hi'], ['--mcp', './nothing-here'])
    expect(code).toBe(1)
    expect(stderr).toContain('ENOENT')
  })
})
