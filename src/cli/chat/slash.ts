import { InterlinguaError } from '../../errors.ts'
import { messageLines, usageLine } from '../inspect/show.ts'
import { oneLine, type Paint, paintFor, printable } from '../paint.ts'
import { allSessions, findSession, sessionLines } from '../store/sessions.ts'
import { table } from '../table.ts'
import { tell } from '../terminal.ts'
import type { Chat } from './chat.ts'

/** A command within the chat: what it takes, what it does, and its doing. It gives the lines to show. */
interface Slash {
  readonly takes: string
  readonly does: string
  run(chat: Chat, word: string, paint: Paint): Promise<readonly string[]> | readonly string[]
}

/** The commands, in the order in which `/help` shows them. */
const commands: { readonly [name: string]: Slash } = {
  help: {
    takes: '',
    does: 'what can be typed here',
    run: () => [
      ...table(Object.entries(commands).map(([name, { takes, does }]) => [`/${name} ${takes}`, does])),
      'Ctrl-C ends an answer, or the chat; Ctrl-D ends the chat.',
    ],
  },
  model: {
    takes: '[name]',
    does: 'which model answers; another goes on with the same conversation',
    run: (chat, word) => {
      if (word !== '') chat.switchModel(word)
      return [`${chat.model} answers.`]
    },
  },
  tools: {
    takes: '',
    does: 'the tools that the model may call',
    run: ({ tools }) =>
      tools.length === 0
        ? ['No tools: --mcp brings some.']
        : table(
            tools.map(({ name, definition }) => [printable(name), oneLine(definition.description ?? '', 80)]),
          ),
  },
  history: {
    takes: '',
    does: 'the conversation so far, numbered',
    run: async (chat, _word, paint) =>
      [...(await chat.messages())].flatMap((message, index) => messageLines(message, index + 1, paint)),
  },
  branch: {
    takes: '[number]',
    does: 'go back to behind that message, and go on from there; else to before your last words',
    run: async (chat, word) => {
      const messages = [...(await chat.messages())]
      const last = messages.findLastIndex(({ role }) => role === 'user')
      const kept = word === '' ? last : numberIn(word, messages.length)
      if (chat.session === undefined || kept < 0)
        throw unfit('Nothing has been said yet', 'Say something first.')
      await chat.options.storage.navigate(chat.session, messages[kept - 1]?.id ?? null)
      return [`${kept} messages are kept; what followed stays as a branch.`]
    },
  },
  branches: {
    takes: '[number]',
    does: 'the branches; with a number, go there',
    run: async (chat, word, paint) => {
      const { session } = chat
      const branches = session === undefined ? [] : await chat.options.storage.branches(session)
      const chosen = word === '' ? undefined : branches[numberIn(word, branches.length) - 1]
      if (chosen !== undefined && session !== undefined)
        await chat.options.storage.navigate(session, chosen.head)
      const current = chosen?.head ?? branches.find((branch) => branch.current)?.head
      return branches.map(({ head, length }, index) => {
        const line = `${index + 1}  ${length} messages, up to ${printable(head)}`
        return head === current ? paint('bold', `${line}  (here)`) : line
      })
    },
  },
  sessions: {
    takes: '',
    does: 'the last conversations',
    run: async (chat, _word, paint) => {
      const { sessions } = await chat.options.storage.sessions({ limit: 10 })
      return sessionLines(sessions, paint)
    },
  },
  resume: {
    takes: '[id]',
    does: 'go on with an earlier conversation; else with the last one',
    run: async (chat, word) => {
      const { storage } = chat.options
      const found =
        word === '' ? await firstOf(allSessions(storage, { limit: 1 })) : await findSession(storage, word)
      if (found === undefined) throw unfit('There is no earlier conversation', 'Say something first.')
      chat.switchSession(found.id)
      const { size } = await chat.messages()
      return [`${oneLine(found.title, 60)} (${printable(found.id)}), ${size} messages.`]
    },
  },
  new: {
    takes: '',
    does: 'begin a new conversation',
    run: (chat) => {
      chat.switchSession(undefined)
      return ['A new conversation.']
    },
  },
  usage: {
    takes: '',
    does: 'the tokens since the chat began',
    run: ({ usage }) => [usage === undefined ? 'Nothing yet.' : usageLine(usage)],
  },
  retry: { takes: '', does: 'ask again after an error', run: () => [] },
  quit: { takes: '', does: 'end the chat', run: () => [] },
}

/** Runs a command of the chat, if the line is one; `quit` and `retry` are left to the caller. */
export async function slash(line: string, chat: Chat): Promise<'quit' | 'retry' | 'done' | undefined> {
  const [, name, word = ''] = /^\/(\w*)(?:\s+(.*))?$/.exec(line.trim()) ?? []
  if (name === undefined) return undefined
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) throw unfit(`There is no /${name}`, '/help shows what there is.')
  if (name === 'quit' || name === 'retry') return name
  const { terminal } = chat
  for (const each of await command.run(chat, word.trim(), paintFor(terminal, terminal.stderr)))
    await tell(terminal, each)
  return 'done'
}

function numberIn(word: string, highest: number): number {
  const number = Number(word)
  if (Number.isInteger(number) && number >= 0 && number <= highest) return number
  throw unfit(`${oneLine(word, 20)} is no number from 0 to ${highest}`, '/history shows the numbers.')
}

async function firstOf<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item
  return undefined
}

function unfit(message: string, hint: string): InterlinguaError {
  return new InterlinguaError('invalid-value', message, { hint })
}
