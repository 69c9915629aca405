import { InterlinguaError } from '../../errors.ts'
import { formatMessage, formatUsage } from '../inspect/format-transcript.ts'
import {
  truncateToLine,
  type Colorizer,
  createColorizer,
  escapeControlCharacters,
  formatTable,
} from '../terminal-text.ts'
import { findLatestSession, findSessionByIdPrefix, formatSessions } from '../store/find-sessions.ts'
import { printNotice } from '../command-io.ts'
import type { CommandLineChat } from './chat-state.ts'

/** A command typed in the chat. `run` returns the lines to print. */
interface SlashCommand {
  readonly parameters?: string
  readonly description: string
  run(chat: CommandLineChat, word: string, paint: Colorizer): Promise<readonly string[]> | readonly string[]
}

/** The commands, in the order in which `/help` lists them. */
const slashCommands: { readonly [name: string]: SlashCommand } = {
  help: {
    description: 'list the commands',
    run: () => [
      ...formatTable(
        Object.entries(slashCommands).map(([name, command]) => [
          `/${name} ${command.parameters ?? ''}`,
          command.description,
        ]),
      ),
      'Ctrl-C cancels a response, or ends the chat if none is streaming. Ctrl-D ends the chat.',
    ],
  },
  model: {
    parameters: '[name]',
    description: 'show the model, or switch to another one in the same conversation',
    run: (chat, word) => {
      if (word !== '') chat.switchModel(word)
      return [`Model: ${chat.modelName}`]
    },
  },
  tools: {
    description: 'list the tools that the model may call',
    run: ({ tools }) =>
      tools.length === 0
        ? ['No tools. Pass --mcp to add the tools of an MCP server.']
        : formatTable(
            tools.map(({ name, definition }) => [
              escapeControlCharacters(name),
              truncateToLine(definition.description ?? '', 80),
            ]),
          ),
  },
  history: {
    description: 'show the conversation with message numbers',
    run: async (chat, _word, paint) =>
      [...(await chat.messages())].flatMap((message, index) => formatMessage(message, index + 1, paint)),
  },
  branch: {
    parameters: '[number]',
    description: 'go back to after that message; without a number, to before your last message',
    run: async (chat, word) => {
      const messages = [...(await chat.messages())]
      const last = messages.findLastIndex(({ role }) => role === 'user')
      const kept = word === '' ? last : parseNumber(word, 0, messages.length)
      if (chat.session === undefined || kept < 0)
        throw invalidCommandError('The conversation is empty', 'Send a message first.')
      await chat.storage.setHead(chat.session, messages[kept - 1]?.id ?? null)
      return [`Kept ${kept} messages. The messages after them remain as a branch.`]
    },
  },
  branches: {
    parameters: '[number]',
    description: 'list the branches, or switch to the branch with that number',
    run: async (chat, word, paint) => {
      const { session, storage } = chat
      const branches = session === undefined ? [] : await storage.branches(session)
      const chosen = word === '' ? undefined : branches[parseNumber(word, 1, branches.length) - 1]
      if (chosen !== undefined && session !== undefined) await storage.setHead(session, chosen.head)
      const current = chosen?.head ?? branches.find((branch) => branch.isCurrent)?.head
      return branches.map(({ head, length }, index) => {
        const line = `${index + 1}  ${length} messages, head ${escapeControlCharacters(head)}`
        return head === current ? paint('bold', `${line}  (current)`) : line
      })
    },
  },
  sessions: {
    description: 'list the most recent conversations',
    run: async ({ storage }, _word, paint) =>
      formatSessions((await storage.sessions({ limit: 10 })).sessions, paint),
  },
  resume: {
    parameters: '[id]',
    description: 'continue the conversation with this id; without an id, the most recent one',
    run: async (chat, word) => {
      const found = await (word === ''
        ? findLatestSession(chat.storage)
        : findSessionByIdPrefix(chat.storage, word))
      if (found === undefined)
        throw invalidCommandError('There is no earlier conversation', 'Send a message first.')
      chat.session = found.id
      const { size } = await chat.messages()
      return [`${truncateToLine(found.title, 60)} (${escapeControlCharacters(found.id)}), ${size} messages.`]
    },
  },
  new: {
    description: 'start a new conversation',
    run: (chat) => {
      chat.session = undefined
      return ['Started a new conversation.']
    },
  },
  usage: {
    description: 'show the token usage since the chat started',
    run: ({ usage }) => [usage === undefined ? 'No tokens used yet.' : formatUsage(usage)],
  },
  retry: { description: 'send the conversation again after an error', run: () => [] },
  quit: { description: 'end the chat', run: () => [] },
}

/** Runs a slash command; `quit` and `retry` are left to the caller. Undefined if the line is not a command. */
export async function runSlashCommand(
  line: string,
  chat: CommandLineChat,
): Promise<'quit' | 'retry' | 'done' | undefined> {
  const [, name, word = ''] = /^\/(\w*)(?:\s+(.*))?$/.exec(line.trim()) ?? []
  if (name === undefined) return undefined
  const command = Object.hasOwn(slashCommands, name) ? slashCommands[name] : undefined
  if (command === undefined)
    throw invalidCommandError(`Unknown command /${name}`, 'Type /help to list the commands.')
  if (name === 'quit' || name === 'retry') return name
  const { terminal } = chat
  for (const each of await command.run(chat, word.trim(), createColorizer(terminal, terminal.stderr)))
    await printNotice(terminal, each)
  return 'done'
}

function parseNumber(word: string, lowest: number, highest: number): number {
  const number = Number(word)
  if (Number.isInteger(number) && number >= lowest && number <= highest) return number
  const isEmpty = highest < lowest
  throw invalidCommandError(
    isEmpty
      ? 'There is no branch yet'
      : `${truncateToLine(word, 20)} is not a number from ${lowest} to ${highest}`,
    isEmpty ? 'Send a message first.' : 'Type /history or /branches to see the numbers.',
  )
}

function invalidCommandError(message: string, hint: string): InterlinguaError {
  return new InterlinguaError('invalid-value', message, { hint })
}
