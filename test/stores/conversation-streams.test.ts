import { type ChatEvent, type RunEvent, textOf, toolCall } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { Conversation, memoryStorage } from 'interlingua/stores'
import { describe, expect, test } from 'vitest'
import type { ScriptEntry } from '../../src/client/script/scripted-turn.ts'

async function eventsOf(
  stream: { events(): AsyncIterable<RunEvent> } | undefined,
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of stream?.events() ?? []) events.push(event)
  return events
}

const typesOf = (events: readonly RunEvent[]): readonly string[] =>
  events.map((event) => ('role' in event ? event.role : event.type))

async function open(replies: readonly ScriptEntry[]) {
  const storage = memoryStorage()
  const { id: session } = await storage.createSession()
  const effects: string[] = []
  const tools = [
    tool({
      name: 'remove',
      needsApproval: true,
      run: (_, { reportProgress }) => {
        reportProgress('half')
        effects.push('removed')
        return 'removed'
      },
    }),
  ]
  const agent = new Agent({ model: scripted(replies), tools })
  return { conversation: new Conversation({ agent, storage, session }), storage, session, effects }
}

/** A response whose provider sends no id of the message, as most do. */
const WITHOUT_ID: readonly ChatEvent[] = [
  { type: 'start', id: 'resp_1' },
  ...['One ', 'two ', 'three.'].map((text) => ({ type: 'text-delta', index: 0, text }) as const),
  { type: 'finish', finish: { reason: 'stop' } },
]

describe('streams of a conversation', () => {
  test('a paused run asks for approval, and its continuation is streamed', async () => {
    const { conversation, storage, session, effects } = await open([
      toolCall({ id: 'c', name: 'remove' }),
      'Done.',
    ])
    const paused = await eventsOf(await conversation.stream('Remove it'))
    expect(paused.at(-1)).toEqual({ type: 'approval-request', id: 'c', callId: 'c' })
    const events = await eventsOf(await conversation.resumeStream({ c: 'approve' }))
    expect(typesOf(events)).toEqual(expect.arrayContaining(['tool-progress', 'tool', 'start', 'finish']))
    expect(effects).toEqual(['removed'])
    expect(textOf((await storage.messages(session)).last() ?? [])).toBe('Done.')
    expect(await conversation.resumeStream()).toBeUndefined()
    expect(await storage.lease(session)).toBeUndefined()
  })

  test('are read without await, or awaited first', async () => {
    const { conversation, storage, session } = await open(['One.', 'Two.', 'Three.', 'Four.', 'Five.'])
    const texts: string[] = []
    for await (const { text } of conversation.stream('Count')) texts.push(text)
    for await (const { text } of await conversation.stream('Go on')) texts.push(text)
    expect(texts.join('')).toBe('One.Two.')
    const { result } = conversation.regenerateStream()
    expect((await result).text).toBe('Three.')
    const [first] = await conversation.messages()
    const edited = conversation.editStream(first?.id ?? '', 'Count down')
    edited.enqueueMessage('Slowly')
    expect(typesOf(await eventsOf(edited))).toEqual(expect.arrayContaining(['start', 'finish']))
    expect(await storage.lease(session)).toBeUndefined()
  })

  test('an error before the run rejects the stream, its iteration and its result', async () => {
    const { conversation, storage, session } = await open(['One.'])
    const lease = await storage.acquireLease(session, { token: 'other', durationMs: 60_000 })
    const refused = { code: 'conflict' }
    const stream = conversation.stream('Hi')
    await expect(stream).rejects.toMatchObject(refused)
    await expect(stream.result).rejects.toMatchObject(refused)
    await expect(eventsOf(conversation.stream('Hi'))).rejects.toMatchObject(refused)
    await expect(conversation.stream('Hi', { signal: 5 } as never)).rejects.toMatchObject({ path: '/signal' })
    await expect(conversation.stream('Hi', null as never)).rejects.toMatchObject({ code: 'invalid-type' })
    expect(lease).toBeDefined()
    // Nobody reads these: their rejections are handled.
    void conversation.stream('Hi')
    await new Promise((resolve) => setTimeout(resolve, 20))
  })

  test('leaving the loop before the run holds the conversation stops the wait', async () => {
    const { conversation, storage, session } = await open(['One.'])
    await storage.acquireLease(session, { token: 'other', durationMs: 60_000 })
    const patient = new Conversation({ ...conversation.options, whenBusy: 'enqueue' })
    const stream = patient.stream('Hi')
    const chunks = stream[Symbol.asyncIterator]()
    const next = chunks.next()
    await chunks.return?.()
    expect(await next).toMatchObject({ done: true })
    await expect(stream.result).rejects.toMatchObject({ code: 'aborted' })
  })

  test('answers are regenerated and messages edited as branches', async () => {
    const { conversation, storage, session } = await open(['One.', 'Two.', 'Three.', 'Four.'])
    await conversation.send('First')
    await conversation.send('Second')
    const [first, , second] = (await storage.messages(session)).toArray()
    await eventsOf(await conversation.regenerateStream({ message: first?.id ?? '' }))
    await eventsOf(await conversation.editStream(second?.id ?? '', 'Other'))
    const texts = [...(await storage.messages(session))].map((message) => textOf(message))
    expect(texts).toEqual(['First', 'One.', 'Other', 'Four.'])
    expect(await storage.branches(session)).toHaveLength(3)
  })

  test('a run that cannot start releases the conversation', async () => {
    const { conversation, storage, session } = await open(['One.'])
    await expect(conversation.regenerateStream()).rejects.toMatchObject({ code: 'invalid-value' })
    await expect(conversation.regenerateStream({ message: 'x' })).rejects.toMatchObject({
      code: 'unknown-id',
    })
    await expect(conversation.editStream('x', 'y')).rejects.toMatchObject({ code: 'unknown-id' })
    expect(await storage.lease(session)).toBeUndefined()
  })

  test('a streamed reply has the id of the stored message, also if it was aborted', async () => {
    const { conversation, storage, session } = await open([
      { reply: { events: WITHOUT_ID } },
      { reply: { events: WITHOUT_ID }, eventDelayMs: 5 },
    ])
    const startId = (events: readonly RunEvent[]): string | undefined => {
      const start = events.find((event) => 'type' in event && event.type === 'start')
      return start !== undefined && 'message' in start ? start.message?.id : undefined
    }
    const complete = await eventsOf(await conversation.stream('Go'))
    expect(startId(complete)).toBe((await storage.messages(session)).last()?.id)
    const controller = new AbortController()
    const stream = await conversation.stream('Again', { signal: controller.signal })
    const events: RunEvent[] = []
    for await (const event of stream.events()) {
      events.push(event)
      if ('type' in event && event.type === 'text-delta') controller.abort()
    }
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'aborted' } })
    const last = (await storage.messages(session)).last()
    expect(last?.role).toBe('assistant')
    expect(startId(events)).toBe(last?.id)
  })
})
