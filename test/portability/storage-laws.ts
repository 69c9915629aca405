import { textOf, toolCall } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { inProcessMemory } from 'interlingua/memory'
import { memoryConformanceTests } from 'interlingua/memory/testing'
import { scripted } from 'interlingua/providers'
import { Conversation, keepLast, type Keyring, memoryStorage } from 'interlingua/stores'
import { storageConformanceTests } from 'interlingua/stores/testing'
import type { PortableLaw } from './portable-law.ts'

const messageCount = 200
const random = { operations: 30, seeds: 1 }
const key = new Uint8Array(32).fill(7)
const keys: Keyring = { currentKeyId: () => '1', key: () => key }

const storages = {
  'the storage in memory': storageConformanceTests({
    open: async () => memoryStorage(),
    isVolatile: true,
    messageCount,
    random,
  }),
  'the encrypted storage in memory': storageConformanceTests({
    open: async () => memoryStorage({ encryption: { keys } }),
    isVolatile: true,
    supportsSearch: false,
    messageCount,
    random,
  }),
  'the memory of agents': memoryConformanceTests({
    open: async (options) => inProcessMemory(options),
    isVolatile: true,
  }),
}

/** A conversation that stops after its tool call, is continued, and gets another last answer. */
async function continueConversation(): Promise<unknown> {
  const storage = memoryStorage()
  const { id: session } = await storage.createSession()
  let runs = 0
  const weather = tool({ name: 'weather', run: () => ({ celsius: 4, runs: ++runs }) })
  const interrupted = scripted([toolCall({ name: 'weather' }), new Error('the process ends')])
  const first = new Conversation({
    agent: new Agent({ model: interrupted, tools: [weather] }),
    storage,
    session,
  })
  const failure = await first.send('How warm is it?').catch((error: unknown) => String(error))
  const model = scripted(['4 degrees.', 'Take a coat.', 'Take a warm coat.'])
  const second = new Conversation({
    agent: new Agent({ model, tools: [weather] }),
    storage,
    session,
    context: keepLast(20),
  })
  await second.resume()
  await second.send('What do I wear?')
  await second.regenerate()
  const texts = (await second.messages()).map((message) => `${message.role}: ${textOf(message)}`)
  return [failure, texts, (await storage.branches(session)).length, runs]
}

/** The conformance suites of the stores that need no platform, and a stored conversation. */
export const storageLaws: readonly PortableLaw[] = [
  ...Object.entries(storages).flatMap(([subject, tests]) =>
    tests.map(({ name, run }) => ({ name: `${subject}: ${name}`, run })),
  ),
  { name: 'a stored conversation continues after its process ended', run: continueConversation },
]
