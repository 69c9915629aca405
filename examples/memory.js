// @ts-check
// Memory across sessions: an agent remembers a fact, and a later conversation recalls it.
import { textOf, toolCall } from 'interlingua'
import { Agent } from 'interlingua/agent'
import { memoryTools, recallMemories } from 'interlingua/memory'
import { sqliteMemory } from 'interlingua/memory/sqlite'
import { scripted } from 'interlingua/providers'
import { Conversation } from 'interlingua/stores'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = await mkdtemp(join(tmpdir(), 'interlingua-memory-'))
const path = join(folder, 'chat.db')
const tenant = 'ada'
const storage = await sqliteStorage(path, { tenant })
const memory = await sqliteMemory(path) // the same file

// Session 1: the model calls the tool `remember`.
await storage.createSession({ id: 'monday' })
const monday = new Conversation({
  agent: new Agent({
    model: scripted([
      toolCall({ name: 'remember', arguments: { text: 'Ada prefers metric units.', key: 'units' } }),
      'I will remember it.',
    ]),
    tools: memoryTools(memory, { tenant }),
  }),
  storage,
  session: 'monday',
})
console.log('monday:', (await monday.send('Please use metric units from now on.')).text)

// Session 2: what matches the question is added before it, as data.
await storage.createSession({ id: 'friday' })
const friday = new Conversation({
  agent: new Agent({
    model: scripted(({ messages }) => {
      const [recalled] = Array.from(messages, (message) => textOf(message))
      return recalled?.includes('metric') ? 'It is 4 °C.' : 'It is 39 °F.'
    }),
  }),
  storage,
  session: 'friday',
  context: recallMemories(memory, { tenant }),
  onContext: ({ added }) => console.log('recalled:', added[0]?.included),
})
console.log('friday:', (await friday.send('How warm is it, in my units?')).text)
console.log('stored messages:', (await storage.messages('friday')).size)

// Another tenant sees nothing, and everything about a tenant can be deleted.
console.log('for bob:', (await memory.search({ tenant: 'bob', text: 'units' })).hits.length)
const { memoryCount, keys } = await memory.forget(tenant)
console.log('forgotten:', memoryCount, keys)

await memory.close()
await storage.close()
await rm(folder, { recursive: true })

/* prints:
monday: I will remember it.
recalled: [ 'units' ]
friday: It is 4 °C.
stored messages: 2
for bob: 0
forgotten: 1 [ 'units' ]
*/
