import { Command } from 'commander'
import type { ConversationStorage } from '../../stores/conversation-storage.ts'
import { omitUndefined } from '../../wire/json.ts'
import { createRegistryOption } from '../registry.ts'
import { addCommandExamples } from '../command-examples.ts'
import { DEMO_MODEL_NAME } from '../../client/demo-model.ts'
import { CommandLineChat } from './chat-state.ts'
import { openMemoryStore, openStore, STORE_OPTION, withStore } from '../store/open-store.ts'
import { createBaseUrlOption } from '../provider-options.ts'
import { findLatestSession, findSessionByIdPrefix } from '../store/find-sessions.ts'
import { printNotice, type Terminal } from '../command-io.ts'
import { LineReader } from './line-reader.ts'
import { readPrompt } from './piped-prompt.ts'
import { importConversation } from '../store/import-transcript.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { describeCall } from '../../canonical/read/message-content.ts'
import type { Decision } from '../../agent/tools/decision.ts'
import { CommandExit } from '../exit-codes.ts'
import { getExitName, errorToJson, formatErrorWithHint } from '../error-output.ts'
import { truncateToLine, createColorizer } from '../terminal-text.ts'
import { runSlashCommand } from './slash-commands.ts'
import { connectMcp, type McpServer, type McpSource } from '../../agent/mcp/index.ts'
import type { AgentTool } from '../../agent/tools/tool.ts'

/** Sends each line until the input ends. If the input is not interactive, the first error ends the loop. */
async function runChatLoop(chat: CommandLineChat, lines: LineReader): Promise<void> {
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

async function handleLine(
  line: string,
  chat: CommandLineChat,
  lines: LineReader,
): Promise<'quit' | undefined> {
  if (line.trim() === '') return undefined
  const command = await runSlashCommand(line, chat)
  if (command === 'quit') return 'quit'
  if (command === 'done') return undefined
  await lines.runInterruptible((signal) => chat.send(command === 'retry' ? undefined : line, signal))
  chat.terminal.signal.throwIfAborted()
  return undefined
}

async function printChatError(error: unknown, { terminal, json }: CommandLineChat): Promise<void> {
  const label = createColorizer(terminal, terminal.stderr)('red', 'error')
  const text = `${label}: ${formatErrorWithHint(error)}`
  const jsonText = JSON.stringify({ type: 'error', exit: getExitName(error), ...errorToJson(error) })
  await printNotice(terminal, json ? jsonText : text)
}

/** Asks the user whether a tool may run; denies it if the input is not interactive. */
async function askApproval(call: ToolCallPart, terminal: Terminal, lines?: LineReader): Promise<Decision> {
  if (lines?.isInteractive !== true)
    return {
      deny: 'Tool calls need approval, and there is no terminal to ask in. Pass --allow-tools to approve every call.',
    }
  const question = `Run ${truncateToLine(describeCall(call), 200)}?`
  const reply = await lines.next(`${createColorizer(terminal, terminal.stdout)('yellow', question)} [y/N] `)
  return /^y(es)?$/i.test(reply?.trim() ?? '') ? 'approve' : { deny: 'The user denied this call.' }
}

interface ChatCommandOptions {
  readonly model?: string
  readonly baseUrl?: string
  readonly system?: string
  readonly continue?: boolean
  readonly resume?: string
  readonly resumeFrom?: string
  readonly mcp: readonly string[]
  readonly allowTools?: boolean
  /** `false` if `--no-store` is set. */
  readonly store?: string | false
  readonly json?: boolean
}

export function createCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('chat')
      .description(
        'Chats with a model. Sends the given message, and after it the text that is piped to standard input. Without a message, ' +
          'sends each line of standard input, or opens a prompt in which /help lists the commands. Conversations are stored. ' +
          'The model is --model, or else $INTERLINGUA_MODEL, or else a built-in demo model that needs no API key and no network.',
      )
      .argument('[message...]', 'the message to send; if omitted, a prompt opens')
      .option('-m, --model <name>', 'the model: <provider>:<model>, or demo')
      .addOption(createBaseUrlOption())
      .addOption(createRegistryOption())
      .option('-s, --system <text>', 'the system prompt')
      .option('-c, --continue', 'continue the most recent conversation')
      .option('-r, --resume <id>', 'continue the conversation with this id')
      .option(
        '--resume-from <file>',
        'continue the conversation in a file: the session file or folder of an agent program, or any other input of `store import`',
      )
      .option(
        '--mcp <server>',
        'add the tools of an MCP server, given as a URL or a command; repeatable',
        (server: string, list: readonly string[]) => [...list, server],
        [],
      )
      .option('--allow-tools', 'run tools of MCP servers without asking for approval')
      .option(...STORE_OPTION)
      .option('--no-store', 'do not store the conversation')
      .option('--json', 'print each response as one line of JSON')
      .action((words: readonly string[], options: ChatCommandOptions) => runChat(words, options, terminal)),
    [
      ['Offline', 'interlingua chat What is the weather in Oslo?'],
      ['At a prompt', 'interlingua chat --model demo'],
      ['Continue the most recent conversation', 'interlingua chat --continue And in Rome?'],
      [
        'Continue the conversation of a file',
        'interlingua chat --resume-from request.json --model demo Hello!',
      ],
      ['Ask about a file', 'cat request.json | interlingua chat What does this request do?'],
      ['From a program', `echo 'Hello!' | interlingua chat --json --no-store`],
    ],
  )
}

/** Sends one message, or each line of the input. */
export async function runChat(
  words: readonly string[],
  options: ChatCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const { store, system, baseUrl } = options
  const model = options.model ?? (terminal.environment['INTERLINGUA_MODEL'] || DEMO_MODEL_NAME)
  if (baseUrl !== undefined && model === DEMO_MODEL_NAME)
    throw new CommandExit(
      'usage',
      '--base-url needs the model of a provider: pass --model <provider>:<model>.',
    )
  const json = options.json === true
  const message = words.length > 0 ? await readPrompt(words, terminal, json) : undefined
  if (message?.trim() === '')
    throw new CommandExit(
      'usage',
      'The message is empty. If it is read from a variable, check that the variable is set.',
    )
  const opening = store === false ? openMemoryStore('memory') : openStore(store, terminal)
  return withStore(opening, async ({ storage }) => {
    const servers = await connectMcpServers(options.mcp, options.allowTools !== true)
    const prompt = message === undefined ? new LineReader(terminal) : undefined
    try {
      const chat = new CommandLineChat(terminal, {
        model,
        storage,
        session: await findSessionToResume(options, storage, terminal),
        tools: servers.tools,
        approve: (call) => askApproval(call, terminal, prompt),
        json,
        ...omitUndefined({ system, baseUrl }),
      })
      if (prompt === undefined) return void (await chat.send(message, terminal.signal))
      if (prompt.isInteractive) await printNotice(terminal, formatGreeting(chat.modelName))
      await runChatLoop(chat, prompt)
    } finally {
      prompt?.close()
      await servers.close()
    }
  })
}

/** Returns the id of the conversation that `--resume-from`, `--resume` or `--continue` selects. */
async function findSessionToResume(
  options: ChatCommandOptions,
  storage: ConversationStorage,
  terminal: Terminal,
): Promise<string | undefined> {
  if (options.resumeFrom !== undefined) {
    if (options.resume !== undefined || options.continue === true)
      throw new CommandExit('usage', '--resume-from, --resume and --continue exclude each other.')
    return importConversation(options.resumeFrom, storage, options.json === true, terminal)
  }
  if (options.resume !== undefined) return (await findSessionByIdPrefix(storage, options.resume)).id
  return options.continue === true ? (await findLatestSession(storage))?.id : undefined
}

function formatGreeting(model: string): string {
  const name = model === DEMO_MODEL_NAME ? 'demo (offline, with the tools weather and clock)' : model
  return `Model: ${name}. Type /help to list the commands.`
}

/** Connects to MCP servers, each given as a URL or as the command that starts it. */
async function connectMcpServers(
  lines: readonly string[],
  needsApproval: boolean,
): Promise<{ readonly tools: readonly AgentTool[]; close(): Promise<void> }> {
  const servers: McpServer[] = []
  const close = async (): Promise<void> => {
    await Promise.allSettled(servers.map((server) => server.close()))
  }
  try {
    const tools: AgentTool[] = []
    for (const [index, line] of lines.entries()) {
      // Several servers may have tools of the same name.
      const prefix = lines.length === 1 ? {} : { prefix: `mcp${index + 1}_` }
      const server = await connectMcp(parseMcpSource(line), { needsApproval, ...prefix })
      servers.push(server)
      for (const tool of await server.tools()) tools.push(tool)
    }
    return { tools, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Parses a URL, or a command line in which quotes group words. */
function parseMcpSource(line: string): McpSource {
  if (/^https?:\/\//.test(line)) return { url: line }
  const words = Array.from(line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, a, b, c]) => a ?? b ?? c ?? '')
  const [command = '', ...args] = words
  return { command, args }
}
