import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import type { ChatRequest } from '../canonical/model/request.ts'
import { dialects } from '../dialects/dialects.ts'
import type { Dialect } from '../dialects/engine/dialect.ts'
import type { ConversationStorage } from '../stores/conversation-storage.ts'
import { DEMO_MODEL_NAME } from '../client/demo-model.ts'
import { CommandLineChat } from './chat/chat-state.ts'
import { demoTools } from '../studio/chat-tools.ts'
import { runChat } from './chat/command.ts'
import { addCommandExamples } from './command-examples.ts'
import { getLineColumns, printLine, printLines, type Terminal } from './command-io.ts'
import { LossTable } from './loss-table.ts'
import { openStore, withStore } from './store/open-store.ts'
import { createColorizer, truncateToLine, escapeControlCharacters } from './terminal-text.ts'

export function createCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('demo')
      .description(
        'Runs a guided tour without API keys or network: a conversation with tools, translated into every dialect, stored, branched ' +
          'and resumed. In a terminal, the tour ends in a chat prompt.',
      )
      .option('--full', 'show complete requests')
      .action(({ full = false }: { readonly full?: boolean }) => runDemo(full, terminal)),
    [
      ['Run the tour', 'interlingua demo'],
      ['Show complete requests', 'interlingua demo --full'],
    ],
  )
}

async function runDemo(isFull: boolean, terminal: Terminal): Promise<void> {
  await runTour(terminal, isFull)
  await printLines(terminal, [
    '',
    'interlingua chat        chat with a model, and switch models mid-conversation',
    'interlingua convert     translate requests, responses and streams',
    'interlingua doctor      check your setup, and see what to do next',
  ])
  if (terminal.stdin.isTTY !== true || terminal.stdout.isTTY !== true) return
  await printLine(terminal)
  await runChat([], { model: DEMO_MODEL_NAME, mcp: [], store: false }, terminal)
}

/** Runs the guided tour offline, in a temporary folder. */
async function runTour(terminal: Terminal, isFull: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'interlingua-demo-'))
  const file = join(folder, 'conversations.jsonl')
  try {
    const session = await withStore(openStore(file, terminal), async ({ storage }) => {
      const chat = createDemoChat(storage, terminal)
      await showToolConversation(chat)
      await showEveryDialect(chat, isFull)
      await showBranching(chat)
      return chat.session
    })
    await withStore(openStore(file, terminal), ({ storage }) =>
      showResuming(createDemoChat(storage, terminal, session)),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function createDemoChat(storage: ConversationStorage, terminal: Terminal, session?: string): CommandLineChat {
  return new CommandLineChat(terminal, {
    model: DEMO_MODEL_NAME,
    storage,
    tools: [],
    approve: () => 'approve',
    json: false,
    session,
  })
}

async function printHeading({ terminal }: CommandLineChat, text: string, explanation: string): Promise<void> {
  const paint = createColorizer(terminal, terminal.stdout)
  await printLines(terminal, ['', paint('bold', text), paint('dim', explanation), ''])
}

async function printAndSend(chat: CommandLineChat, text: string): Promise<void> {
  const { terminal } = chat
  await printLine(terminal, `${createColorizer(terminal, terminal.stdout)('green', '> ')}${text}`)
  await chat.send(text, terminal.signal)
}

async function showToolConversation(chat: CommandLineChat): Promise<void> {
  await printHeading(
    chat,
    '1. A conversation with tools',
    'The demo model runs offline. It reasons, calls a tool and reports the result.',
  )
  await printAndSend(chat, 'How is the weather in Oslo?')
}

async function showEveryDialect(chat: CommandLineChat, isFull: boolean): Promise<void> {
  const { terminal } = chat
  await printHeading(
    chat,
    '2. The same conversation for every provider',
    'One canonical conversation, encoded in every dialect. Losses and notes are listed below each request.',
  )
  const tools = demoTools.map(({ definition }) => definition)
  const request = { model: 'some-model', messages: await chat.messages(), tools }
  for (const dialect of Object.values(dialects))
    await printLines(terminal, [...formatWireRequest(dialect, request, isFull, terminal), ''])
  if (isFull) return
  const remark = 'Long lines are truncated. Run interlingua demo --full for complete requests.'
  await printLine(terminal, createColorizer(terminal, terminal.stdout)('dim', remark))
}

const INDENT = '  '

/** Formats a request as a dialect sends it: path, body, and the losses of the translation. */
function formatWireRequest(
  dialect: Dialect<unknown, unknown>,
  request: ChatRequest,
  isFull: boolean,
  terminal: Terminal,
): readonly string[] {
  const paint = createColorizer(terminal, terminal.stdout)
  const { value, losses } = dialect.encodeRequest(request)
  const tally = new LossTable()
  for (const loss of losses) tally.add(loss)
  const body = isFull
    ? JSON.stringify(value, null, 2).split('\n').map(escapeControlCharacters)
    : formatShortBody(value, getLineColumns(terminal))
  const size = paint('dim', `${Buffer.byteLength(JSON.stringify(value))} bytes`)
  return [
    `${paint('cyan', dialect.name)}  POST ${dialect.endpoint(request).path}  ${size}`,
    ...body.map((line) => INDENT + line),
    ...tally.formatLines(paint),
  ]
}

/** Formats a body with one line per field and per array element, each truncated to `maxColumns`. */
export function formatShortBody(body: unknown, maxColumns: number): readonly string[] {
  const line = (text: string, depth: number): string =>
    INDENT.repeat(depth) + truncateToLine(text, maxColumns - INDENT.length * (depth + 1))
  return Object.entries(body as object).flatMap(([key, value]) => {
    if (!Array.isArray(value)) return line(`"${key}": ${JSON.stringify(value)}`, 0)
    return [`"${key}": [`, ...value.map((each) => line(JSON.stringify(each), 1)), ']']
  })
}

async function showBranching(chat: CommandLineChat): Promise<void> {
  const { terminal, storage, session = '' } = chat
  await printHeading(
    chat,
    '3. Stored and branched',
    'Every message was stored before the next step started. Now the conversation goes back to its start and branches.',
  )
  await storage.setHead(session, null)
  await printAndSend(chat, 'How is the weather in Rome?')
  const lengths = (await storage.branches(session)).map(({ length }) => length)
  await printLine(
    terminal,
    `\n${lengths.length} branches are stored, with ${lengths.join(' and ')} messages.`,
  )
}

async function showResuming(chat: CommandLineChat): Promise<void> {
  const { terminal, storage, session = '' } = chat
  await printHeading(
    chat,
    '4. Resumed',
    'The store was closed and reopened, as after a restart. The first branch continues.',
  )
  const first = (await storage.branches(session)).find(({ isCurrent }) => !isCurrent)
  if (first !== undefined) await storage.setHead(session, first.head)
  await printAndSend(chat, 'What does the clock say?')
  const issues = await storage.verify(session)
  await printLine(
    terminal,
    `\n${(await chat.messages()).size} messages on this branch, ${issues.length} integrity issues. The temporary folder is deleted now.`,
  )
}
