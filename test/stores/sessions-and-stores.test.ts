import { Messages, MessageStore } from 'interlingua'
import { memoryStorage } from 'interlingua/stores'
import { expect, test } from 'vitest'

test('[r81] a session has an id of its own, like a message', async () => {
  const storage = memoryStorage()
  const [first, second] = [await storage.createSession(), await storage.createSession()]
  expect(first.id).toMatch(/^session_[0-9a-f]{24}$/)
  expect(second.id).not.toBe(first.id)
  expect((await storage.session(first.id))?.id).toBe(first.id)
})

test('[r124] a message store is saved to a session, and loaded from it', async () => {
  const storage = memoryStorage()
  const store = MessageStore.of({ name: 'examples', messages: Messages.of('Hello') })
  const saving = storage.saveStore('one', store)
  expect(saving).toBeInstanceOf(Promise)
  await saving
  await storage.saveStore('two', MessageStore.of())
  expect((await storage.loadStore('one')).toJSON()).toEqual(store.toJSON())
  expect((await storage.loadStore('two')).toJSON()).toEqual(MessageStore.of().toJSON())
})
