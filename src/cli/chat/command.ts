import { Command } from 'commander'
import { memoryStorage } from '../../stores/memory/memory-storage.ts'
import { addExamples } from '../command-examples.ts'
import { DEMO_MODEL_NAME, Chat } from './chat.ts'
import { openStore, type StoreHandle, STORE_OPTION, withStore } from '../store/open-store.ts'
import { iterateSessions, findSession } from '../store/sessions.ts'
import { printNotice, type Terminal } from '../command-io.ts'
import { LineReader } from './line-reader.ts'
import { connectMcpServers } from './chat-tools.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { describeCall } from '../../canonical/read/message-content.ts'
import type { Decision } from '../../agent/tools/decision.ts'
import { CommandExit } from '../exit-codes.ts'
import { getExitName, errorToJson, getHint, formatReason } from '../error-output.ts'
import { truncateToLine, createColorizer } from '../terminal-text.ts'
import { runSlashCommand } from './slash-commands.ts'

/** Reads lines and answers them until there are no more. Where nobody sits in front of it, the first error ends it. */
export async function runChatLoop(chat: Chat, lines: LineReader): Promise<void> {
  const paint = createColorizer(chat.terminal, chat.terminal.stdout)
  for (;;) {
    const line = await lines.next(`${paint('cyan', chat.modelName)}> `)
    if (line === undefined) return
    try {
      if ((await handleLine(line, chat, lines)) === 'quit') return
    } catch (error) {
      if (error instanceof CommandExit || !lines.isInteractive) throw error
      await printChatError(error, chat)
    }
  }
}

async function handleLine(line: string, chat: Chat, lines: LineReader): Promise<'quit' | undefined> {
  if (line.trim() === '') return undefined
  const command = await runSlashCommand(line, chat)
  if (command === 'quit') return 'quit'
  if (command === 'done') return undefined
  await lines.runInterruptible((signal) => chat.send(command === 'retry' ? undefined : line, signal))
  chat.terminal.signal.throwIfAborted()
  return undefined
}

async function printChatError(error: unknown, { terminal, options }: Chat): Promise<void> {
  const paint = createColorizer(terminal, terminal.stderr)
  const said = `${paint('red', 'error')}: ${[formatReason(error), getHint(error)].filter(Boolean).join('. ')}`
  const json = JSON.stringify({ type: 'error', exit: getExitName(error), ...errorToJson(error) })
  await printNotice(terminal, options.json ? json : said)
}

/** Asks whether a tool may run; nobody to ask means no. */
export async function askApproval(
  call: ToolCallPart,
  lines: LineReader | undefined,
  terminal: Terminal,
): Promise<Decision> {
  if (lines?.isInteractive !== true)
    return { deny: 'Nobody is there to allow it. --allow-tools allows every call.' }
  const paint = createColorizer(terminal, terminal.stdout)
  const word = await lines.next(
    `${paint('yellow', `Run ${truncateToLine(describeCall(call), 200)}?`)} [y/N] `,
  )
  return /^y(es)?$/i.test(word?.trim() ?? '') ? 'approve' : { deny: 'The user does not allow it.' }
}

interface ChatCommandOptions {
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

export function createChatCommand(terminal: Terminal): Command {
  return addExamples(
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
      .option(
        '--mcp <server>',
        'tools of an MCP server: its address, or the command that starts it',
        appendValue,
        [],
      )
      .option('--allow-tools', 'run the tools of MCP servers without asking')
      .option(...STORE_OPTION)
      .option('--no-store', 'keep nothing')
      .option('--json', 'each answer as JSON, one a line')
      .action((words: readonly string[], options: ChatCommandOptions) => runChat(words, options, terminal)),
    [
      ['Offline', 'interlingua chat What is the weather in Oslo?'],
      ['At a prompt', 'interlingua chat --model demo'],
      ['Go on with the last conversation', 'interlingua chat --continue And in Rome?'],
      ['From a program', `echo 'Hello!' | interlingua chat --json --no-store`],
    ],
  )
}

function appendValue(value: string, list: readonly string[]): readonly string[] {
  return [...list, value]
}

const openMemoryStore = async (): Promise<StoreHandle> => ({
  storage: memoryStorage(),
  path: 'memory',
  compact: async () => {},
})

/** `chat`: one answer, or one after the other. */
export function runChat(
  words: readonly string[],
  options: ChatCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const { store } = options
  const opened = store === false ? openMemoryStore() : openStore(store, terminal)
  return withStore(opened, async (open) => {
    const servers = await connectMcpServers(options.mcp, options.allowTools !== true)
    const prompt = words.length > 0 ? undefined : new LineReader(terminal)
    try {
      const session = await findSessionToResume(options, open)
      const under = new Chat(terminal, {
        model: options.model ?? terminal.environment['INTERLINGUA_MODEL'] ?? DEMO_MODEL_NAME,
        storage: open.storage,
        tools: servers.tools,
        approve: (call) => askApproval(call, prompt, terminal),
        json: options.json === true,
        ...(session !== undefined && { session }),
        ...(options.system !== undefined && { system: options.system }),
      })
      if (prompt === undefined) return void (await under.send(words.join(' '), terminal.signal))
      if (prompt.isInteractive) await printNotice(terminal, formatGreeting(under.modelName))
      await runChatLoop(under, prompt)
    } finally {
      prompt?.close()
      await servers.close()
    }
  })
}

/** The conversation to go on with. */
async function findSessionToResume(
  options: ChatCommandOptions,
  { storage }: StoreHandle,
): Promise<string | undefined> {
  if (options.resume !== undefined) return (await findSession(storage, options.resume)).id
  if (options.continue !== true) return undefined
  for await (const { id } of iterateSessions(storage, { limit: 1 })) return id
  return undefined
}

function formatGreeting(model: string): string {
  const told = '/help shows what can be typed.'
  return model === DEMO_MODEL_NAME
    ? `The demo model answers: it runs offline, and calls the tools weather and clock. ${told}`
    : `${model} answers. ${told}`
}
