import { Command } from 'commander'
import { memoryStorage } from '../../stores/memory/index.ts'
import { examples } from '../examples.ts'
import { DEMO } from '../models.ts'
import { openStore, type OpenStore, STORE_OPTION, withStore } from '../store/open.ts'
import { allSessions, findSession } from '../store/sessions.ts'
import { tell, type Terminal } from '../terminal.ts'
import { Chat } from './chat.ts'
import { LineReader } from './line-reader.ts'
import { allow, talk } from './talk.ts'
import { connectServers } from './tools.ts'

interface Options {
  readonly model?: string
  readonly system?: string
  readonly continue?: boolean
  readonly resume?: string
  readonly mcp: readonly string[]
  readonly allowTools?: boolean
  /** False where `--no-store` is given. */
  readonly store?: string | false
  readonly json?: boolean
}

export function chatCommand(terminal: Terminal): Command {
  return examples(
    new Command('chat')
      .description(
        'Talks to a model: to the end of what is piped in, about the words that are given, or line by line at a prompt, where /help ' +
          'shows what else can be typed. The conversation is kept. Where no model is named, $INTERLINGUA_MODEL answers, else ' +
          'a small demo model that needs no key and no network.',
      )
      .argument('[words...]', 'what to say; without it, a prompt')
      .option('-m, --model <name>', '<provider>:<model>, or demo')
      .option('-s, --system <text>', 'what the model is told before everything')
      .option('-c, --continue', 'go on with the last conversation')
      .option('-r, --resume <id>', 'go on with an earlier one')
      .option('--mcp <server>', 'tools of an MCP server: its address, or the command that starts it', add, [])
      .option('--allow-tools', 'run the tools of MCP servers without asking')
      .option(...STORE_OPTION)
      .option('--no-store', 'keep nothing')
      .option('--json', 'each answer as JSON, one a line')
      .action((words: readonly string[], options: Options) => chat(words, options, terminal)),
    [
      ['Offline', 'interlingua chat What is the weather in Oslo?'],
      ['At a prompt', 'interlingua chat --model demo'],
      ['Go on with the last conversation', 'interlingua chat --continue And in Rome?'],
      ['From a program', `echo 'Hello!' | interlingua chat --json --no-store`],
    ],
  )
}

function add(value: string, list: readonly string[]): readonly string[] {
  return [...list, value]
}

const nowhere = async (): Promise<OpenStore> => ({
  storage: memoryStorage(),
  path: 'memory',
  compact: async () => {},
})

/** `chat`: one answer, or one after the other. */
export function chat(words: readonly string[], options: Options, terminal: Terminal): Promise<void> {
  const { store } = options
  const opened = store === false ? nowhere() : openStore(store, terminal)
  return withStore(opened, async (open) => {
    const servers = await connectServers(options.mcp, options.allowTools !== true)
    const prompt = words.length > 0 ? undefined : new LineReader(terminal)
    try {
      const session = await sessionOf(options, open)
      const under = new Chat(terminal, {
        model: options.model ?? terminal.environment['INTERLINGUA_MODEL'] ?? DEMO,
        storage: open.storage,
        tools: servers.tools,
        approve: (call) => allow(call, prompt, terminal),
        json: options.json === true,
        ...(session !== undefined && { session }),
        ...(options.system !== undefined && { system: options.system }),
      })
      if (prompt === undefined) return void (await under.say(words.join(' '), terminal.signal))
      if (prompt.interactive) await tell(terminal, greeting(under.model))
      await talk(under, prompt)
    } finally {
      prompt?.close()
      await servers.close()
    }
  })
}

/** The conversation to go on with. */
async function sessionOf(options: Options, { storage }: OpenStore): Promise<string | undefined> {
  if (options.resume !== undefined) return (await findSession(storage, options.resume)).id
  if (options.continue !== true) return undefined
  for await (const { id } of allSessions(storage, { limit: 1 })) return id
  return undefined
}

function greeting(model: string): string {
  const told = '/help shows what can be typed.'
  return model === DEMO
    ? `The demo model answers: it runs offline, and calls the tools weather and clock. ${told}`
    : `${model} answers. ${told}`
}
