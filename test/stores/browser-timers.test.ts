import { Agent } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { Conversation, memoryStorage } from 'interlingua/stores'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a conversation needs no timer objects, which browsers do not have', async () => {
  const create = setTimeout
  vi.stubGlobal('setTimeout', (callback: () => void, delayMs?: number) => Number(create(callback, delayMs)))
  const storage = memoryStorage()
  const { id: session } = await storage.createSession()
  const agent = new Agent({ model: scripted(['One', 'Two']) })
  const conversation = new Conversation({ agent, storage, session })
  expect((await conversation.send('Count')).text).toBe('One')
  expect((await conversation.send('Go on')).text).toBe('Two')
})
