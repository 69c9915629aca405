import { type Message, textOf } from 'interlingua'
import { type ConversationStorage, layered, memoryStorage } from 'interlingua/stores'
import { expect, test } from 'vitest'

const texts = (messages: Iterable<Message>): string[] => Array.from(messages, (message) => textOf(message))

const ids = async (storage: ConversationStorage): Promise<string[]> =>
  Array.from(await storage.path('s'), ({ id }) => id)

test('what is written goes to all under the same ids; what is read comes from the first that has it', async () => {
  const [first, second] = [memoryStorage(), memoryStorage()]
  const both = layered([first, second])
  await both.createSession({ id: 's', title: 'T' })
  await both.append('s', ['One', 'Two'])
  await both.appendHistory('s', ['One', 'Two', 'Three'])
  await both.fork('s', { id: 'fork' })
  expect(await ids(second)).toEqual(await ids(first))
  await first.deleteSession('s')
  expect(texts(await both.path('s'))).toEqual(['One', 'Two', 'Three'])
  expect((await both.session('s'))?.title).toBe('T')
  await both.append('s', 'Four')
  expect(texts(await first.path('s'))).toEqual(['One', 'Two', 'Three', 'Four'])
  expect(await ids(second)).toEqual(await ids(first))
  expect((await both.session('fork'))?.id).toBe('fork')
})

test('a secondary that is behind catches up; one that is down harms nobody', async () => {
  const [first, second] = [memoryStorage(), memoryStorage()]
  await first.createSession({ id: 's' })
  await first.append('s', 'One')
  const errors: unknown[] = []
  const both = layered([first, second], { onError: (error) => errors.push(error) })
  await both.append('s', 'Two')
  expect(await ids(second)).toEqual(await ids(first))
  await second.remove('s', (await ids(first)).at(-1) ?? '')
  await both.append('s', 'Three')
  expect(await ids(second)).toEqual(await ids(first))
  expect(errors).toEqual([])
  await second.close()
  await both.append('s', 'Four')
  expect([texts(await both.path('s')).length, errors.length]).toEqual([4, 1])
})
