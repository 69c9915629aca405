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

/** Runs a chat with piped lines. */
function piped(lines: readonly string[], words: readonly string[] = []): Promise<Ran> {
  return interlingua(['chat', ...words], { folder: folder.path, input: lines.join('\n') })
}

describe('chat through a pipe', () => {
  test('responds to each line, with the earlier messages as history', async () => {
    const { code, stdout } = await piped(['How is the weather in Oslo?', '', 'Hello'])
    expect(code).toBe(0)
    expect(stdout).toContain('weather says: city: Oslo, celsius: 4.\n')
    expect(stdout).toContain('You said: “Hello”\n')
    expect((await piped(['/history'], ['--continue'])).stderr).toMatch(/^ {2}5 user {8}Hello$/m)
  })

  test('branches, and returns to the other branch', async () => {
    const lines = ['First', '/branch', 'Second', '/branches', '/branches 1', '/history']
    const { code, stderr } = await piped(lines)
    expect(code).toBe(0)
    expect(stderr).toContain('Kept 0 messages. The messages after them remain as a branch.')
    expect(stderr.match(/\(current\)/g)).toHaveLength(2)
    expect(stderr).toMatch(/^ {2}1 user {8}First$/m)
  })

  test.each(['0', '-1', '3', '1.5', 'x'])('/branches %s is an error: branches start at 1', async (word) => {
    const { code, stderr } = await piped(['First', '/branch', 'Second', `/branches ${word}`, '/history'])
    expect(code).toBe(3)
    expect(stderr).toContain(`${word} is not a number from 1 to 2`)
    expect(stderr).not.toContain('(current)')
  })

  test.each(['0', '1', '2'])('/branch %s keeps that many messages', async (word) => {
    const { code, stderr } = await piped(['First', `/branch ${word}`])
    expect(code).toBe(0)
    expect(stderr).toContain(`Kept ${word} messages.`)
  })

  test('resumes an earlier conversation, or starts a new one', async () => {
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
    expect(stderr).toContain('Started a new conversation.')
    expect(stderr).toContain('About pears')
    expect(stderr).toMatch(/^weather {2}Returns the weather of a city/m)
    expect(stderr).toMatch(/^No tokens used yet\.\n\d+ input tokens, \d+ output tokens$/m)
    expect(stderr).toMatch(/^\/quit +end the chat$/m)
  })

  test.each([
    ['/nonsense', 'Unknown command /nonsense'],
    ['/branch', 'The conversation is empty'],
    ['/branch 9', '9 is not a number from 0 to 0'],
    ['/branches 0', 'There is no branch yet'],
    ['/branches 1', 'There is no branch yet'],
    ['/resume', 'There is no earlier conversation'],
    ['/model acme:x', 'Unknown provider "acme"'],
  ])('%s is an error, and ends it where nobody sits in front of it', async (line, reason) => {
    const { code, stderr, stdout } = await piped([line, 'Hello'])
    expect(stderr).toContain(reason)
    expect(code).not.toBe(0)
    expect(stdout).toBe('')
  })

  test('--no-store stores nothing, and --json prints one line per response', async () => {
    const { stdout } = await piped(['One', 'Two'], ['--no-store', '--json'])
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { text: string; session: string })
    expect(answers.map(({ text }) => /“(.*)”/.exec(text)?.[1])).toEqual(['One', 'Two'])
    expect(answers[0]?.session).toBe(answers[1]?.session)
    expect((await interlingua(['store', 'list', '--json'], { folder: folder.path })).stdout).toBe('[]\n')
  })

  test('a line that starts with a path is not a command', async () => {
    const { code, stdout } = await piped(['/etc/hosts is what?', '/usr'.repeat(2)])
    expect(code).toBe(0)
    expect(stdout).toContain('You said: “/etc/hosts is what?”')
    expect(stdout).toContain('You said: “/usr/usr”')
  })

  test('the text of a model cannot control the terminal', async () => {
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

  test('sends the messages of another model, and the system prompt', async () => {
    const lines = ['weather in Oslo', '/model anthropic:claude-fake', 'Thanks']
    const { code, stdout } = await piped(lines, ['--system', 'Be brief.'])
    expect({ code, end: stdout.endsWith('Hello there.\n') }).toEqual({ code: 0, end: true })
    const sent = fake.requests.at(-1)
    expect(sent?.headers.authorization).toBe('Bearer sk-secret-key')
    expect(sent?.body).toMatchObject({ model: 'claude-fake', system: [{ text: 'Be brief.' }] })
    expect(sent?.text).toContain('tool_result')
  })

  test('an authentication error is exit code 6 with a hint and without the key', async () => {
    fake.next(sends(anthropic.error(401, 'invalid x-api-key sk-secret-key'), 401))
    const ran = await interlingua(['chat', 'Hi', '--model', 'anthropic:claude-fake'], { folder: folder.path })
    expect(ran).toMatchObject({ code: 6, stdout: '' })
    expect(ran.stderr).toContain('Check the API key.')
    expect(ran.stderr).not.toContain('sk-secret-key')
  })

  test('doctor contacts it, and reports a rejection', async () => {
    const environment = { ANTHROPIC_API_KEY: 'sk-secret-key', OLLAMA_HOST: '127.0.0.1:9' }
    fake.next(sends({ data: [{ id: 'claude-a' }, { id: 'claude-b' }], has_more: false }))
    const well = await interlingua(['doctor'], { folder: folder.path, environment })
    expect(well.code).toBe(0)
    expect(well.stdout).toMatch(/^ok +anthropic +answers, 2 models$/m)
    expect(well.stdout).toContain('interlingua chat --model anthropic:MODEL')
    fake.next(sends(anthropic.error(401, 'no'), 401))
    const ill = await interlingua(['doctor', '--json'], { folder: folder.path, environment })
    expect(ill.code).toBe(5)
    const { checks } = JSON.parse(ill.stdout) as {
      checks: { name: string; state: string; nextStep?: string }[]
    }
    expect(checks.find(({ name }) => name === 'anthropic')).toMatchObject({
      state: 'broken',
      nextStep: 'Check the API key.',
    })
    expect(well.stdout + ill.stdout).not.toContain('sk-secret-key')
  })
})

describe('chat with tools from MCP', () => {
  const server = fileURLToPath(new URL('../../examples/servers/weather-mcp.js', import.meta.url))
  const mcp = ['--mcp', `'${process.execPath}' "${server}"`, '--model', 'demo']

  test('lists them, and asks for approval; denies without a terminal', async () => {
    const { stdout, stderr } = await piped(['/tools', 'Show the gallery'], mcp)
    expect(stderr).toMatch(/^gallery/m)
    expect(stdout).toContain('Tool calls need approval, and there is no terminal to ask in.')
  })

  test('--allow-tools runs them', async () => {
    const { stdout } = await piped(['Show the gallery'], [...mcp, '--allow-tools'])
    expect(stdout).toContain('Look and listen:')
  })

  test('a server that does not start is an error', async () => {
    const { code, stderr } = await piped(['Hi'], ['--mcp', './nothing-here'])
    expect(code).toBe(1)
    expect(stderr).toContain('ENOENT')
  })
})
