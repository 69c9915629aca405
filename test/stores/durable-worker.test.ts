import { inspect } from 'node:util'
import pg from 'pg'
import { textOf, toolCall } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { Conversation } from 'interlingua/stores'
import { durableWorker, type DurableWorker } from 'interlingua/stores/dbos'
import { postgresStorage } from 'interlingua/stores/postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from './postgres.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

async function query(text: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test.each([
  ['no server', 'postgres://someone:geheim@127.0.0.1:1/nowhere', 'storage-unavailable'],
  ['an invalid URL', 'geheim is not a URL', 'invalid-value'],
])('%s is reported without the password', async (_what, url, code) => {
  const open = (): never => {
    throw new Error('never')
  }
  const error: unknown = await durableWorker({ url, open }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'InterlinguaError', code })
  expect(`${inspect(error, { depth: 9 })}${JSON.stringify(error)}`).not.toContain('geheim')
})

test('a worker that closes waits for its tools, and hands over the rest of the run', async () => {
  const storage = await postgresStorage(database.url)
  await storage.createSession({ id: 'tools' })
  const runs: string[] = []
  let start = (): void => {}
  let finish = (): void => {}
  const started = new Promise<void>((resolve) => (start = resolve))
  const work = tool({
    name: 'work',
    run: (_input, { call }) => {
      runs.push(call.id)
      start()
      return new Promise<string>((resolve) => (finish = () => resolve('worked')))
    },
  })
  const open = (session: string): Conversation => {
    const model = scripted(({ messages }) =>
      [...messages].at(-1)?.role === 'tool' ? 'Done' : toolCall({ id: 'c1', name: 'work' }),
    )
    return new Conversation({ agent: new Agent({ model, tools: [work] }), storage, session })
  }
  const first = await durableWorker({ url: database.url, leaseMs: 300, open })
  const run = await first.send('tools', 'Go', { id: 'with-tools' })
  await started
  const closed = first.close()
  finish()
  await closed
  // The conversation stays reserved for the run.
  const conversation = open('tools')
  await expect(conversation.send('Me, too')).rejects.toMatchObject({ code: 'conflict' })
  const second = await durableWorker({ url: database.url, leaseMs: 300, open })
  expect((await second.run(run.id).result()).text).toBe('Done')
  const texts = Array.from(await storage.messages('tools'), (message) => textOf(message))
  expect([texts, runs]).toEqual([['Go', '', 'worked', 'Done'], ['c1']])
  expect(await storage.lease('tools')).toBeUndefined()
  await second.close()
  await storage.close()
}, 60_000)

test.each([
  ['a closed worker', 'closed', async () => undefined],
  // A worker that was stopped for a while: others took over its runs and deleted its row, then it started another run.
  ['a worker without a row', 'unknown', () => query('delete from interlingua_workers')],
  [
    'a worker beside a program with workflows of its own',
    'beside',
    () =>
      query(`delete from interlingua_workers;
        insert into dbos.workflow_status (workflow_uuid, status, name, executor_id)
        values ('foreign', 'PENDING', 'another.workflow', 'another program')`),
  ],
])(
  '%s hands over its unfinished runs to another one',
  async (_what, id, prepare) => {
    const storage = await postgresStorage(database.url)
    await storage.createSession({ id })
    const start = (answer: () => Promise<string>): Promise<DurableWorker> => {
      const agent = new Agent({ model: scripted(answer) })
      const open = (session: string): Conversation => new Conversation({ agent, storage, session })
      return durableWorker({ url: database.url, leaseMs: 300, open })
    }
    let asked = (): void => {}
    const reached = new Promise<void>((resolve) => (asked = resolve))
    const first = await start(() => {
      asked()
      return new Promise(() => {})
    })
    await expect(start(async () => 'Me, too')).rejects.toMatchObject({ code: 'conflict' })
    await first.send(id, 'Go', { id })
    await reached
    await first.close()
    await first.close()
    await expect(first.send(id, 'More')).rejects.toMatchObject({ code: 'storage-closed' })
    await prepare()
    const second = await start(async () => 'Done')
    expect((await second.run(id).result()).text).toBe('Done')
    expect(Array.from(await storage.messages(id), (message) => textOf(message))).toEqual(['Go', 'Done'])
    await second.close()
    // The first worker was taken over; the second one left no runs, and another program keeps its own.
    expect(await query('select id from interlingua_workers')).toEqual([])
    const foreign = `select status, executor_id from dbos.workflow_status where workflow_uuid = 'foreign'`
    expect(await query(foreign)).toEqual(
      id === 'beside' ? [{ status: 'PENDING', executor_id: 'another program' }] : [],
    )
    await storage.close()
  },
  60_000,
)
