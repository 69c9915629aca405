import { InterlinguaError } from '../../errors.ts'
import { formatMessage, formatUsage } from '../inspect/format-message.ts'
import {
  truncateToLine,
  type Colorizer,
  createColorizer,
  escapeControlCharacters,
  formatTable,
} from '../terminal-text.ts'
import { iterateSessions, findSession, formatSessions } from '../store/sessions.ts'
import { printNotice } from '../command-io.ts'
import type { Chat } from './chat.ts'

/** A command within the chat: what it takes, what it does, and its doing. It gives the lines to show. */
interface SlashCommand {
  readonly parameters: string
  readonly description: string
  run(chat: Chat, word: string, paint: Colorizer): Promise<readonly string[]> | readonly string[]
}

/** The commands, in the order in which `/help` shows them. */
const slashCommands: { readonly [name: string]: SlashCommand } = {
  help: {
    parameters: '',
    description: 'what can be typed here',
    run: () => [
      ...formatTable(
        Object.entries(slashCommands).map(([name, { parameters, description }]) => [
          `/${name} ${parameters}`,
          description,
        ]),
      ),
      'Ctrl-C ends an answer, or the chat; Ctrl-D ends the chat.',
    ],
  },
  model: {
    parameters: '[name]',
    description: 'which model answers; another goes on with the same conversation',
    run: (chat, word) => {
      if (word !== '') chat.switchModel(word)
      return [`${chat.modelName} answers.`]
    },
  },
  tools: {
    parameters: '',
    description: 'the tools that the model may call',
    run: ({ tools }) =>
      tools.length === 0
        ? ['No tools: --mcp brings some.']
        : formatTable(
            tools.map(({ name, definition }) => [
              escapeControlCharacters(name),
              truncateToLine(definition.description ?? '', 80),
            ]),
          ),
  },
  history: {
    parameters: '',
    description: 'the conversation so far, numbered',
    run: async (chat, _word, paint) =>
      [...(await chat.messages())].flatMap((message, index) => formatMessage(message, index + 1, paint)),
  },
  branch: {
    parameters: '[number]',
    description: 'go back to behind that message, and go on from there; else to before your last words',
    run: async (chat, word) => {
      const messages = [...(await chat.messages())]
      const last = messages.findLastIndex(({ role }) => role === 'user')
      const kept = word === '' ? last : parseNumber(word, messages.length)
      if (chat.session === undefined || kept < 0)
        throw invalidCommandError('Nothing has been said yet', 'Say something first.')
      await chat.options.storage.setHead(chat.session, messages[kept - 1]?.id ?? null)
      return [`${kept} messages are kept; what followed stays as a branch.`]
    },
  },
  branches: {
    parameters: '[number]',
    description: 'the branches; with a number, go there',
    run: async (chat, word, paint) => {
      const { session } = chat
      const branches = session === undefined ? [] : await chat.options.storage.branches(session)
      const chosen = word === '' ? undefined : branches[parseNumber(word, branches.length) - 1]
      if (chosen !== undefined && session !== undefined)
        await chat.options.storage.setHead(session, chosen.head)
      const current = chosen?.head ?? branches.find((branch) => branch.isCurrent)?.head
      return branches.map(({ head, length }, index) => {
        const line = `${index + 1}  ${length} messages, up to ${escapeControlCharacters(head)}`
        return head === current ? paint('bold', `${line}  (here)`) : line
      })
    },
  },
  sessions: {
    parameters: '',
    description: 'the last conversations',
    run: async (chat, _word, paint) => {
      const { sessions } = await chat.options.storage.sessions({ limit: 10 })
      return formatSessions(sessions, paint)
    },
  },
  resume: {
    parameters: '[id]',
    description: 'go on with an earlier conversation; else with the last one',
    run: async (chat, word) => {
      const { storage } = chat.options
      const found =
        word === ''
          ? await takeFirst(iterateSessions(storage, { limit: 1 }))
          : await findSession(storage, word)
      if (found === undefined)
        throw invalidCommandError('There is no earlier conversation', 'Say something first.')
      chat.switchSession(found.id)
      const { size } = await chat.messages()
      return [`${truncateToLine(found.title, 60)} (${escapeControlCharacters(found.id)}), ${size} messages.`]
    },
  },
  new: {
    parameters: '',
    description: 'begin a new conversation',
    run: (chat) => {
      chat.switchSession(undefined)
      return ['A new conversation.']
    },
  },
  usage: {
    parameters: '',
    description: 'the tokens since the chat began',
    run: ({ usage }) => [usage === undefined ? 'Nothing yet.' : formatUsage(usage)],
  },
  retry: { parameters: '', description: 'ask again after an error', run: () => [] },
  quit: { parameters: '', description: 'end the chat', run: () => [] },
}

/** Runs a command of the chat, if the line is one; `quit` and `retry` are left to the caller. */
export async function runSlashCommand(
  line: string,
  chat: Chat,
): Promise<'quit' | 'retry' | 'done' | undefined> {
  const [, name, word = ''] = /^\/(\w*)(?:\s+(.*))?$/.exec(line.trim()) ?? []
  if (name === undefined) return undefined
  const command = Object.hasOwn(slashCommands, name) ? slashCommands[name] : undefined
  if (command === undefined) throw invalidCommandError(`There is no /${name}`, '/help shows what there is.')
  if (name === 'quit' || name === 'retry') return name
  const { terminal } = chat
  for (const each of await command.run(chat, word.trim(), createColorizer(terminal, terminal.stderr)))
    await printNotice(terminal, each)
  return 'done'
}

function parseNumber(word: string, highest: number): number {
  const number = Number(word)
  if (Number.isInteger(number) && number >= 0 && number <= highest) return number
  throw invalidCommandError(
    `${truncateToLine(word, 20)} is no number from 0 to ${highest}`,
    '/history shows the numbers.',
  )
}

async function takeFirst<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item
  return undefined
}

function invalidCommandError(message: string, hint: string): InterlinguaError {
  return new InterlinguaError('invalid-value', message, { hint })
}
