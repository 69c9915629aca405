import { type Message, textOf, validate } from 'interlingua'
import { Agent } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { Conversation, memoryStorage } from 'interlingua/stores'
import { describe, expect, test } from 'vitest'

const texts = (messages: Iterable<Message>): string[] => Array.from(messages, (message) => textOf(message))

type Script = Parameters<typeof scripted>[0]

/** A conversation of two turns whose next model call fails in a given way. */
async function begin(fail: (stop: AbortController) => Script): Promise<{
  readonly failing: Conversation
  readonly signal: AbortSignal
}> {
  const storage = memoryStorage()
  const { id: session } = await storage.createSession()
  const working = new Agent({ model: scripted(['A1', 'A2']) })
  const conversation = new Conversation({ agent: working, storage, session })
  await conversation.send('Q1')
  await conversation.send('Q2')
  const stop = new AbortController()
  const agent = new Agent({ model: scripted(fail(stop)) })
  return { failing: new Conversation({ agent, storage, session }), signal: stop.signal }
}

const failures: Readonly<Record<string, (stop: AbortController) => Script>> = {
  'a model that cannot be reached': () => [new Error('unreachable')],
  'an abort before the response': (stop) => [
    () => {
      stop.abort()
      return new Promise(() => {})
    },
  ],
  'a signal that was aborted before': (stop) => {
    stop.abort()
    return ['Never']
  },
}

describe.each(Object.entries(failures))('%s', (_name, fail) => {
  test('leaves the old response where it was when it was regenerated', async () => {
    const { failing, signal } = await begin(fail)
    await failing.regenerate({ signal }).catch(() => undefined)
    expect(texts(await failing.messages())).toEqual(['Q1', 'A1', 'Q2', 'A2'])
    expect(await failing.options.storage.branches(failing.options.session)).toHaveLength(1)
  })

  test('loses nothing when a message was edited: the head is the old one or the new message', async () => {
    const { failing, signal } = await begin(fail)
    const [first] = await failing.messages()
    await failing.edit(first?.id ?? '', 'P1', { signal }).catch(() => undefined)
    const { storage, session, agent } = failing.options
    const current = texts(await failing.messages())
    expect([['Q1', 'A1', 'Q2', 'A2'], ['P1']]).toContainEqual(current)
    const heads = (await storage.branches(session)).map(({ head }) => head)
    const paths = await Promise.all(heads.map((to) => storage.messages(session, { to })))
    expect(paths.map(texts)).toContainEqual(['Q1', 'A1', 'Q2', 'A2'])
    const later = new Conversation({ agent: agent.with({ model: scripted(['B1']) }), storage, session })
    expect((await later.resume())?.text).toBe(current.length === 1 ? 'B1' : undefined)
    expect([validate(await later.messages()), await storage.verify()]).toEqual([[], []])
  })
})

test('a regenerated response that was partly received becomes the head, and the old one a branch', async () => {
  const { failing, signal } = await begin(() => ['A long new response'])
  const stop = new AbortController()
  const hooks = {
    afterModel: (): void => stop.abort(),
  }
  await failing.regenerate({ signal: AbortSignal.any([signal, stop.signal]), hooks })
  expect(texts(await failing.messages())).toEqual(['Q1', 'A1', 'Q2', 'A long new response'])
  const { storage, session } = failing.options
  expect(await storage.branches(session)).toHaveLength(2)
})
