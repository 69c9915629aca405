// @ts-check
// A stored conversation: after a crash it continues, and finished tools are not run again.
import { textOf, toolCall } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { Conversation, keepLast, memoryStorage } from 'interlingua/stores'

const storage = memoryStorage() // or await sqliteStorage('chat.db'), await postgresStorage('postgres://…')
const { id: session } = await storage.createSession({ title: 'Weather' })

let measured = 0
const weather = tool({ name: 'weather', run: () => ({ celsius: 4, measured: ++measured }) })

// The first process calls the tool and ends before the model has responded.
const first = new Conversation({
  agent: new Agent({
    model: scripted([toolCall({ name: 'weather' }), new Error('the process ends')]),
    tools: [weather],
  }),
  storage,
  session,
})
await first.send('How warm is it in Oslo?').catch((error) => console.log(error.message))

// The second process loads the stored messages and continues.
const model = scripted(['4 degrees.', 'Take a coat.', 'Better take a warm coat.'])
const second = new Conversation({
  agent: new Agent({ model, tools: [weather] }),
  storage,
  session,
  context: keepLast(20),
})
console.log((await second.resume())?.text, '| measured', measured, 'time')

// Each response is a branch: a new one becomes current, and the old one remains.
await second.send('What do I wear?')
console.log((await second.regenerate()).text)
console.log((await second.messages()).map((message) => `${message.role}: ${textOf(message)}`).join('\n'))
console.log((await storage.branches(session)).length, 'branches')

/* prints:
the process ends
4 degrees. | measured 1 time
Better take a warm coat.
user: How warm is it in Oslo?
assistant: 
tool: {"celsius":4,"measured":1}
assistant: 4 degrees.
user: What do I wear?
assistant: Better take a warm coat.
2 branches
*/
