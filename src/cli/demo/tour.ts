import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dialects } from '../../dialects/translate.ts'
import { Chat } from '../chat/chat.ts'
import { demoTools } from '../chat/tools.ts'
import { DEMO } from '../models.ts'
import { paintFor } from '../paint.ts'
import { openStore, withStore } from '../store/open.ts'
import { roomOf, say, type Terminal } from '../terminal.ts'
import { wireLines } from './wire.ts'

export interface TourOptions {
  /** The bodies of requests in full. */
  readonly whole?: boolean
}

/** The guided tour: everything offline, in a folder that goes away. */
export async function tour(terminal: Terminal, options: TourOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'interlingua-demo-'))
  const file = join(folder, 'conversations.jsonl')
  try {
    const session = await withStore(openStore(file, terminal), async ({ storage }) => {
      const chat = chatWith(storage, terminal)
      await talk(chat)
      await everyDialect(chat, options)
      await branch(chat)
      return chat.session ?? ''
    })
    await withStore(openStore(file, terminal), ({ storage }) => resume(chatWith(storage, terminal, session)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function chatWith(storage: Chat['options']['storage'], terminal: Terminal, session?: string): Chat {
  return new Chat(terminal, {
    model: DEMO,
    storage,
    tools: [],
    approve: () => 'approve',
    json: false,
    ...(session !== undefined && { session }),
  })
}

async function heading({ terminal }: Chat, text: string, because: string): Promise<void> {
  const paint = paintFor(terminal, terminal.stdout)
  await say(terminal, `\n${paint('bold', text)}`)
  await say(terminal, paint('dim', because))
  await say(terminal)
}

async function ask(chat: Chat, words: string): Promise<void> {
  const { terminal } = chat
  await say(terminal, `${paintFor(terminal, terminal.stdout)('green', '> ')}${words}`)
  await chat.say(words, terminal.signal)
}

async function talk(chat: Chat): Promise<void> {
  await heading(
    chat,
    '1. A conversation with tools',
    'The demo model runs offline. It thinks, calls a tool, and tells what came of it.',
  )
  await ask(chat, 'How is the weather in Oslo?')
}

async function everyDialect(chat: Chat, { whole = false }: TourOptions): Promise<void> {
  const { terminal } = chat
  await heading(
    chat,
    '2. The same conversation for every provider',
    'One canonical conversation, written as each wire format wants it. What does not come through unchanged is told below it.',
  )
  const request = {
    model: 'some-model',
    messages: await chat.messages(),
    tools: demoTools.map(({ definition }) => definition),
  }
  const paint = paintFor(terminal, terminal.stdout)
  const view = { whole, room: roomOf(terminal), paint }
  for (const dialect of Object.values(dialects)) {
    for (const line of wireLines(dialect, request, view)) await say(terminal, line)
    await say(terminal)
  }
  if (!whole)
    await say(terminal, paint('dim', 'Long lines are cut: interlingua demo --whole shows them whole.'))
}

async function branch(chat: Chat): Promise<void> {
  const { terminal, session = '' } = chat
  const { storage } = chat.options
  await heading(
    chat,
    '3. Stored and branched',
    'Every message was stored before the next step began. We go back, and ask something else.',
  )
  await storage.navigate(session, null)
  await ask(chat, 'How is the weather in Rome?')
  const branches = await storage.branches(session)
  await say(
    terminal,
    `\n${branches.length} branches are kept, with ${branches.map(({ length }) => length).join(' and ')} messages.`,
  )
}

async function resume(chat: Chat): Promise<void> {
  const { terminal, session = '' } = chat
  const { storage } = chat.options
  await heading(
    chat,
    '4. Resumed',
    'The store was closed and opened anew, as after a restart. The first branch goes on where it was.',
  )
  const first = (await storage.branches(session)).find(({ current }) => !current)
  if (first !== undefined) await storage.navigate(session, first.head)
  await ask(chat, 'What does the clock say?')
  const damages = await storage.verify(session)
  await say(
    terminal,
    `\n${(await chat.messages()).size} messages on this branch, ${damages.length} damaged. The folder of this tour is removed now.`,
  )
}
