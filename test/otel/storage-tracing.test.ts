import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { user } from 'interlingua'
import { Agent } from 'interlingua/agent'
import { traceStorage } from 'interlingua/otel'
import { scripted } from 'interlingua/providers'
import { Conversation, type ConversationStorage, memoryStorage, replicated } from 'interlingua/stores'
import { storageConformanceTests } from 'interlingua/stores/testing'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runEveryOperation } from '../stores/every-operation.ts'
import { beginRecording, endRecording, spans, tracer } from './span-recorder.ts'

let folder = ''
beforeAll(async () => {
  beginRecording()
  folder = await mkdtemp(join(tmpdir(), 'interlingua-otel-'))
})
afterAll(async () => {
  endRecording()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  spans.length = 0
})

const CANARY = 'canary'

/** Returns the attributes of the last span that are not those of every span. */
function lastAttributes(): object {
  const {
    'db.system.name': _system,
    'db.operation.name': _operation,
    ...rest
  } = spans.at(-1)?.attributes ?? {}
  return rest
}

const backends: Readonly<Record<string, () => Promise<ConversationStorage>>> = {
  memory: async () => memoryStorage(),
  jsonl: () => jsonlStorage(join(folder, 'a.jsonl')),
  sqlite: () => sqliteStorage(':memory:', { search: true }),
  replicated: async () => replicated([memoryStorage(), memoryStorage()]),
}

describe.each(Object.entries(backends))('a traced storage in %s', (backend, open) => {
  test('creates one span for each operation, with its counts and without contents', async () => {
    const storage = traceStorage(await open())
    const session = { 'gen_ai.conversation.id': 's' }
    await storage.createSession({ id: 's', title: CANARY, labels: [CANARY] })
    expect(spans).toMatchObject([
      {
        name: `createSession ${backend}`,
        kind: backend === 'memory' ? SpanKind.INTERNAL : SpanKind.CLIENT,
        attributes: { 'db.system.name': backend, 'db.operation.name': 'createSession' },
        ended: 1,
      },
    ])
    await storage.append('s', [user(CANARY, { id: 'm' }), CANARY])
    expect(lastAttributes()).toEqual({ ...session, 'interlingua.storage.written_messages': 2 })
    await storage.messages('s')
    expect(lastAttributes()).toEqual({ ...session, 'db.response.returned_rows': 2 })
    expect((await storage.search({ query: CANARY, session: 's' })).hits).toHaveLength(2)
    expect(lastAttributes()).toEqual({ ...session, 'db.response.returned_rows': 2 })
    for await (const line of storage.exportSession('s')) if (line.includes('"m"')) break
    expect([spans.at(-1)?.name, lastAttributes()]).toEqual([
      `exportSession ${backend}`,
      { ...session, 'db.response.returned_rows': 1 },
    ])
    await storage.verify()
    expect(lastAttributes()).toEqual({ 'interlingua.storage.integrity_issues': 0 })
    const receipt = await storage.forTenant('other').forget({ label: CANARY })
    expect([receipt.sessionCount, lastAttributes()]).toEqual([
      0,
      { 'interlingua.storage.deleted_sessions': 0, 'interlingua.storage.deleted_messages': 0 },
    ])
    await runEveryOperation(storage, 's')
    await storage.close()
    const known = spans.map(({ name }) => name.split(' ')[0])
    expect(new Set(known)).toContain('saveStore')
    expect(known.at(-1)).toBe('close')
    expect(spans.filter(({ ended }) => ended !== 1)).toEqual([])
    expect(JSON.stringify(spans.map(({ name, attributes }) => [name, attributes]))).not.toContain(CANARY)
  })

  test('records the code of an error, and the error is the same', async () => {
    const storage = traceStorage(await open(), { system: 'other', name: 'mine' })
    await expect(storage.messages('none')).rejects.toMatchObject({ code: 'unknown-session' })
    await expect(async () => {
      for await (const _line of storage.exportSession('none'));
    }).rejects.toMatchObject({ code: 'unknown-session' })
    for (const operation of ['messages', 'exportSession'])
      expect(spans.find(({ name }) => name === `${operation} other`)).toMatchObject({
        attributes: { 'error.type': 'unknown-session', 'db.system.name': 'other' },
        status: { code: SpanStatusCode.ERROR },
        ended: 1,
      })
    await storage.close()
  })
})

test('keeps what a backend adds, and the methods of a class', async () => {
  const storage = traceStorage(await jsonlStorage(join(folder, 'b.jsonl')))
  expect(storage.quarantinedLines).toEqual([])
  await storage.rewrite()
  expect(spans.at(-1)?.name).toBe('rewrite jsonl')
  await storage.close()

  class Wrapper {
    readonly #inner = memoryStorage()
    readonly tenant = 'default'
    get backend(): string {
      return 'own'
    }
    head(session: string): Promise<string | undefined> {
      return this.#inner.head(session)
    }
  }
  const own = traceStorage(new Wrapper() as unknown as ConversationStorage)
  await expect(own.head('none')).rejects.toMatchObject({ code: 'unknown-session' })
  expect([spans.at(-1)?.name, own.tenant, own.backend]).toEqual(['head own', 'default', 'own'])
})

test('spans of a conversation are children of the active span', async () => {
  const storage = traceStorage(memoryStorage())
  const { id: session } = await storage.createSession()
  spans.length = 0
  const agent = new Agent({ model: scripted(['Cold.']) })
  const request = tracer.startSpan('request')
  await context.with(trace.setSpan(context.active(), request), () =>
    new Conversation({ agent, storage, session }).send('How warm is it?'),
  )
  const appends = spans.filter(({ name }) => name === 'append memory')
  expect(appends.length).toBeGreaterThan(1)
  expect(new Set(appends.map(({ parent }) => parent))).toEqual(new Set([request]))
})

test('an unknown option is refused', () => {
  const options: object = { includeContents: true }
  expect(() => traceStorage(memoryStorage(), options)).toThrow(/includeContents/)
})

describe('a traced storage conforms', () => {
  const subject = { open: async () => traceStorage(memoryStorage()), isVolatile: true, messageCount: 100 }
  for (const { name, run } of storageConformanceTests({ ...subject, random: { seeds: 1 } })) test(name, run)
})
