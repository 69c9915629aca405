import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dialects } from '../../dialects/dialects.ts'
import { Chat, DEMO_MODEL_NAME } from '../chat/chat.ts'
import { demoTools } from '../chat/chat-tools.ts'
import { createColorizer, truncateToLine, type Colorizer, escapeControlCharacters } from '../terminal-text.ts'
import { openStore, withStore } from '../store/open-store.ts'
import { getLineColumns, printLine, type Terminal } from '../command-io.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Dialect } from '../../dialects/engine/dialect.ts'
import { LossTally } from '../loss-tally.ts'

/** Display settings of a request. */
interface WireRequestView {
  /** Shows complete bodies instead of truncated lines. */
  readonly isFull: boolean
  /** Maximum line width in columns. */
  readonly maxColumns: number
  readonly paint: Colorizer
}

const INDENT = '  '

/** Formats a request as a dialect sends it: path, body, and the losses of the translation. */
function formatWireRequest(
  dialect: Dialect<unknown, unknown>,
  request: ChatRequest,
  { isFull, maxColumns, paint }: WireRequestView,
): readonly string[] {
  const { value, losses } = dialect.encodeRequest(request)
  const tally = new LossTally()
  for (const loss of losses) tally.add(loss)
  const body = isFull
    ? JSON.stringify(value, null, 2).split('\n').map(escapeControlCharacters)
    : formatShortBody(value, maxColumns)
  const { path } = dialect.endpoint(request)
  return [
    `${paint('cyan', dialect.name)}  POST ${path}  ${paint('dim', `${Buffer.byteLength(JSON.stringify(value))} bytes`)}`,
    ...body.map((line) => INDENT + line),
    ...tally.formatLines((severity) => paint(severity === 'loss' ? 'yellow' : 'dim', severity)),
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

export interface TourOptions {
  /** Shows complete request bodies. */
  readonly full?: boolean
}

/** Runs the guided tour offline, in a temporary folder. */
export async function runTour(terminal: Terminal, options: TourOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'interlingua-demo-'))
  const file = join(folder, 'conversations.jsonl')
  try {
    const session = await withStore(openStore(file, terminal), async ({ storage }) => {
      const chat = createDemoChat(storage, terminal)
      await showToolConversation(chat)
      await showEveryDialect(chat, options)
      await showBranching(chat)
      return chat.session ?? ''
    })
    await withStore(openStore(file, terminal), ({ storage }) =>
      showResuming(createDemoChat(storage, terminal, session)),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function createDemoChat(storage: Chat['options']['storage'], terminal: Terminal, session?: string): Chat {
  return new Chat(terminal, {
    model: DEMO_MODEL_NAME,
    storage,
    tools: [],
    approve: () => 'approve',
    json: false,
    ...(session !== undefined && { session }),
  })
}

async function printHeading({ terminal }: Chat, text: string, explanation: string): Promise<void> {
  const paint = createColorizer(terminal, terminal.stdout)
  await printLine(terminal, `\n${paint('bold', text)}`)
  await printLine(terminal, paint('dim', explanation))
  await printLine(terminal)
}

async function printAndSend(chat: Chat, text: string): Promise<void> {
  const { terminal } = chat
  await printLine(terminal, `${createColorizer(terminal, terminal.stdout)('green', '> ')}${text}`)
  await chat.send(text, terminal.signal)
}

async function showToolConversation(chat: Chat): Promise<void> {
  await printHeading(
    chat,
    '1. A conversation with tools',
    'The demo model runs offline. It reasons, calls a tool and reports the result.',
  )
  await printAndSend(chat, 'How is the weather in Oslo?')
}

async function showEveryDialect(chat: Chat, { full = false }: TourOptions): Promise<void> {
  const { terminal } = chat
  await printHeading(
    chat,
    '2. The same conversation for every provider',
    'One canonical conversation, encoded in every dialect. Losses and notes are listed below each request.',
  )
  const request = {
    model: 'some-model',
    messages: await chat.messages(),
    tools: demoTools.map(({ definition }) => definition),
  }
  const paint = createColorizer(terminal, terminal.stdout)
  const view = { isFull: full, maxColumns: getLineColumns(terminal), paint }
  for (const dialect of Object.values(dialects)) {
    for (const line of formatWireRequest(dialect, request, view)) await printLine(terminal, line)
    await printLine(terminal)
  }
  if (!full)
    await printLine(
      terminal,
      paint('dim', 'Long lines are truncated. Run interlingua demo --full for complete requests.'),
    )
}

async function showBranching(chat: Chat): Promise<void> {
  const { terminal, session = '' } = chat
  const { storage } = chat.options
  await printHeading(
    chat,
    '3. Stored and branched',
    'Every message was stored before the next step started. Now the conversation goes back to its start and branches.',
  )
  await storage.setHead(session, null)
  await printAndSend(chat, 'How is the weather in Rome?')
  const branches = await storage.branches(session)
  await printLine(
    terminal,
    `\n${branches.length} branches are stored, with ${branches.map(({ length }) => length).join(' and ')} messages.`,
  )
}

async function showResuming(chat: Chat): Promise<void> {
  const { terminal, session = '' } = chat
  const { storage } = chat.options
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
