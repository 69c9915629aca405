import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonlStorage } from '../../src/stores/jsonl/index.ts'
import { anthropic } from '../providers/fakes/anthropic.ts'
import { openaiChat } from '../providers/fakes/openai-chat.ts'
import { type Fake, stallsAfter, startFake, streams } from '../providers/fakes/server.ts'
import { built, environment } from './compiled-cli.ts'
import { Folder } from './run-command.ts'
import { hasPseudoTerminal, PseudoTerminal } from './pseudo-terminal.ts'

if (!hasPseudoTerminal)
  console.warn(
    'neither script (util-linux) nor python3 is installed: pseudo-terminal sessions are not tested',
  )

const server = fileURLToPath(new URL('../../examples/servers/weather-mcp.js', import.meta.url))

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'

describe.skipIf(!hasPseudoTerminal)('in a pseudo-terminal', () => {
  let fakes: readonly [Fake, Fake]
  beforeAll(async () => {
    await built()
    fakes = [
      await startFake(streams(anthropic.events, anthropic.streamType)),
      await startFake(streams(openaiChat.events, openaiChat.streamType)),
    ]
  }, 120_000)
  afterAll(() => Promise.all(fakes.map((fake) => fake.close())))

  async function open(line: string, folder: Folder): Promise<PseudoTerminal> {
    const { bin } = await built()
    const [claude, gpt] = fakes
    const env = {
      ...environment(folder.path, bin),
      ANTHROPIC_API_KEY: 'sk-secret-one',
      ANTHROPIC_BASE_URL: claude.url,
      OPENAI_API_KEY: 'sk-secret-two',
      OPENAI_BASE_URL: gpt.url,
    }
    return new PseudoTerminal(line, { cwd: folder.path, env })
  }

  test('a chat switches models mid-conversation, and is stored', async () => {
    await using folder = await Folder.with()
    const screen = await open('interlingua chat', folder)
    await screen.until(/demo> /)
    screen.type('How is the weather in Oslo?\n')
    const first = await screen.until(/output tokens[^]*demo> /)
    expect(first).toContain('→ weather(city=Oslo)')
    expect(first).toContain('weather says: city: Oslo, celsius: 4.')

    screen.type('/model anthropic:claude-fake\n')
    await screen.until(/anthropic:claude-fake> /)
    screen.type('And what do you say?\n')
    expect(await screen.until(/output tokens[^]*claude-fake> /)).toContain('Hello there.')
    screen.type('/model openai-chat:gpt-fake\n')
    await screen.until(/openai-chat:gpt-fake> /)
    screen.type('And you?\n')
    expect(await screen.until(/output tokens[^]*gpt-fake> /)).toContain('Hello there.')
    screen.type(CTRL_D)
    expect(await screen.ended).toBe(0)

    // Each provider received the complete history in its own dialect.
    const [claude, gpt] = fakes.map(({ requests }) => requests.at(-1)?.text ?? '')
    expect(claude).toContain('"tool_use"')
    expect(claude).toContain('And what do you say?')
    expect(gpt).toContain('"tool_calls"')
    expect(gpt).toContain('Hello there.')

    const storage = await jsonlStorage(folder.at('store.jsonl'))
    const [session] = (await storage.sessions()).sessions
    const line = [...(await storage.messages(session?.id ?? ''))]
    await storage.close()
    expect(session?.title).toBe('How is the weather in Oslo?')
    expect(line.map(({ role }) => role).join(' ')).toBe(
      'user assistant tool assistant user assistant user assistant',
    )
    expect(await folder.read('store.jsonl')).not.toContain('sk-secret')
  })

  test('Ctrl-C cancels a response but not the chat; at the prompt it ends the chat', async () => {
    await using folder = await Folder.with()
    const screen = await open('interlingua chat --model anthropic:claude-fake', folder)
    await screen.until(/claude-fake> /)
    fakes[0].next(stallsAfter(anthropic.events.slice(0, 4), anthropic.streamType))
    screen.type('Tell me a long story\n')
    await screen.until(/Hello /)
    screen.type(CTRL_C)
    await screen.until(/ended: aborted[^]*claude-fake> /)
    screen.type('Go on\n')
    await screen.until(/Hello there\.[^]*claude-fake> /)
    screen.type(CTRL_C)
    expect(await screen.ended).toBe(130)
    const storage = await jsonlStorage(folder.at('store.jsonl'))
    expect(await storage.verify()).toEqual([])
    await storage.close()
  })

  test('an error is printed, and the chat continues', async () => {
    await using folder = await Folder.with()
    const screen = await open('interlingua chat --model groq:some-model', folder)
    await screen.until(/groq:some-model> /)
    screen.type('Hi\n')
    await screen.until(/error: [^]*GROQ_API_KEY[^]*groq:some-model> /)
    screen.type('/model demo\n')
    await screen.until(/demo> /)
    screen.type('/retry\n')
    await screen.until(/You said: “Hi”[^]*demo> /)
    screen.type('/quit\n')
    expect(await screen.ended).toBe(0)
  })

  test('a tool of an MCP server runs only if the user approves', async () => {
    await using folder = await Folder.with()
    const screen = await open(`interlingua chat --mcp '"${process.execPath}" "${server}"'`, folder)
    await screen.until(/demo> /)
    screen.type('Show the gallery\n')
    await screen.until(/Run gallery\(\)\? \[y\/N\] /)
    screen.type('y\n')
    expect(await screen.until(/output tokens[^]*demo> /)).toContain('Look and listen:')
    screen.type('Show the gallery again\n')
    await screen.until(/Run gallery\(\)\? \[y\/N\] /)
    screen.type('\n')
    expect(await screen.until(/output tokens[^]*demo> /)).toContain('The user denied this call.')
    screen.type(CTRL_D)
    expect(await screen.ended).toBe(0)
  })

  test('npm start: the tour ends in a prompt', async () => {
    await using folder = await Folder.with()
    const screen = await open('interlingua demo', folder)
    await screen.until(/4\. Resumed[^]*demo> /)
    screen.type('/help\n')
    await screen.until(/\/model \[name\][^]*demo> /)
    screen.type(CTRL_D)
    expect(await screen.ended).toBe(0)
  })
})
