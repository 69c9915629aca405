/**
 * Pins what version 1 stores of a run: the log of tool calls and the notes of a context strategy beside the conversation
 * (test/golden/stores/v1-run.jsonl), and a paused run with a nested one (test/golden/stores/v1-paused.json). Later versions
 * must continue both.
 *
 * Until the first release the files may be rewritten deliberately, in a commit that says why; afterwards never. To rewrite
 * them:
 *
 *     UPDATE_GOLDEN=1 npx vitest run test/stores/stored-run.test.ts
 */
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assistant, type JsonObject, textOf, toolCall, user } from 'interlingua'
import { Agent, type PausedRun, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { Conversation, type ConversationStorage, summarize } from 'interlingua/stores'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { afterEach, beforeEach, expect, test } from 'vitest'

const golden = (name: string): string => join(import.meta.dirname, '../golden/stores', name)

const SESSION = 'run'

/** The calls of the paused round: a finished one, and one of an agent that waits for approval. */
const calls = [
  toolCall({ id: 'call_1', name: 'weather' }),
  toolCall({ id: 'call_2', name: 'shopper', arguments: { prompt: 'Milk' } }),
]

type Script = Parameters<typeof scripted>[0]

/** An agent with a tool and a nested agent; records what it runs. */
function agentOf(script: Script, done: string[]): Agent {
  const shopper = new Agent({
    model: scripted(() =>
      done.includes('bought')
        ? 'Bought.'
        : toolCall({ id: 'call_3', name: 'buy', arguments: { what: 'milk' } }),
    ),
    tools: [tool({ name: 'buy', needsApproval: true, run: () => void done.push('bought') })],
  })
  const weather = tool({ name: 'weather', run: () => (done.push('asked'), 'Snow') })
  return new Agent({
    model: scripted(script),
    tools: [weather, shopper.asTool({ name: 'shopper', description: 'Buys.' })],
  })
}

/** A conversation whose older messages are summarized; the writer returns `summaries` in order. */
function conversationOf(
  storage: ConversationStorage,
  agent: Agent,
  summaries: readonly string[],
): Conversation {
  const writer = new Agent({ model: scripted([...summaries]) })
  const context = summarize({ agent: writer, maxMessages: 3, keepMessages: 1 })
  return new Conversation({ agent, storage, session: SESSION, context })
}

if (process.env['UPDATE_GOLDEN'] !== undefined) {
  const folder = await mkdtemp(join(tmpdir(), 'interlingua-run-'))
  const path = join(folder, 'v1-run.jsonl')
  const storage = await jsonlStorage(path)
  await storage.createSession({ id: SESSION })
  await storage.append(SESSION, [user('Q1'), assistant('A1'), user('Q2'), assistant('A2')])
  const { paused } = await conversationOf(storage, agentOf([calls], []), ['In short: Q1 and Q2.']).send('Go')
  await storage.close()
  await writeFile(golden('v1-paused.json'), `${JSON.stringify(paused, null, 1)}\n`)
  await copyFile(path, golden('v1-run.jsonl'))
  await rm(folder, { recursive: true })
}

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-run-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A copy of the golden store, because opening it may write to it. */
async function openGolden(): Promise<ConversationStorage> {
  await copyFile(golden('v1-run.jsonl'), join(folder, 'v1-run.jsonl'))
  return jsonlStorage(join(folder, 'v1-run.jsonl'))
}

/** Returns the notes of a section. */
async function notesIn(storage: ConversationStorage, section: string): Promise<readonly JsonObject[]> {
  const messages = await storage.messages(SESSION, { section })
  return [...messages].map(({ content: [part] }) => {
    return part?.type === 'opaque' ? (part.value as JsonObject) : expect.fail('is not a note')
  })
}

test('the log of tool calls and the notes on the context have these names', async () => {
  const storage = await openGolden()
  expect(await storage.verify()).toEqual([])
  expect((await storage.session(SESSION))?.sections).toEqual(['messages', '~context-notes', '~tool-calls'])
  const steps = (await notesIn(storage, '~tool-calls')).flatMap((note) => Object.keys(note))
  expect(steps.toSorted()).toEqual(['nestedRun', 'result', 'startedCall', 'startedCall'])
  const [context] = await notesIn(storage, '~context-notes')
  expect(context).toMatchObject({ summary: 'In short: Q1 and Q2.', messageCount: 4 })
  await storage.close()
})

test('a stored run continues: no finished tool runs again, and no summary is written again', async () => {
  const storage = await openGolden()
  const done: string[] = []
  const seen: string[][] = []
  const agent = agentOf(
    ({ messages }) => (seen.push(Array.from(messages, (each) => textOf(each))), 'Fine.'),
    done,
  )
  const result = await conversationOf(storage, agent, []).resume({ 'call_2/call_3': 'approve' })
  expect([result?.text, done]).toEqual(['Fine.', ['bought']])
  expect(seen[0]?.slice(0, 2)).toEqual(['Summary of the conversation so far:\n\nIn short: Q1 and Q2.', 'Go'])
  await storage.close()
})

test('a paused run is resumed', async () => {
  const done: string[] = []
  const paused = JSON.parse(await readFile(golden('v1-paused.json'), 'utf8')) as PausedRun
  const result = await agentOf(['Fine.'], done).resume(
    paused,
    { 'call_2/call_3': 'approve' },
    { history: [user('Go')] },
  )
  expect([result.text, done]).toEqual(['Fine.', ['bought']])
})

test('a paused run has these names', async () => {
  const paused = JSON.parse(await readFile(golden('v1-paused.json'), 'utf8')) as PausedRun
  expect(Object.keys(paused).toSorted()).toEqual(
    'elapsedMs id message nestedRuns orchestratorData pending results steps toolUses version'.split(' '),
  )
  expect(paused.pending).toMatchObject([{ waitsFor: 'approval', parentCallId: 'call_2' }])
  expect(paused.nestedRuns).toMatchObject({ call_2: { pauseCount: 1, run: { version: 1 } } })
})
