// @ts-check
// Two runs at one conversation: the second one is rejected, waits, or interrupts the first.
import { textOf, toolCall } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { Conversation, memoryStorage } from 'interlingua/stores'

const storage = memoryStorage() // with sqliteStorage or postgresStorage, this works across processes
const { id: session } = await storage.createSession()

let finishReport = () => {}
const report = tool({
  name: 'report',
  run: () => new Promise((resolve) => (finishReport = () => resolve('42 pages'))),
})
const model = scripted(({ messages }) => {
  const last = [...messages].at(-1)
  if (last?.role === 'tool') return 'The report has 42 pages.'
  return last !== undefined && textOf(last) === 'Write the report.' ? toolCall({ name: 'report' }) : 'Bye.'
})
const options = { agent: new Agent({ model, tools: [report] }), storage, session }

const first = new Conversation(options).send('Write the report.')
await new Promise((resolve) => setTimeout(resolve, 50)) // the tool is working now

// The default: an error that says what to do.
const error = await new Conversation(options).send('Hello?').catch((reason) => reason)
console.log(error.code, '|', error.message.replace(/since .*/, 'since …'))

// Or the second run waits for its turn.
const second = new Conversation({ ...options, whenBusy: 'enqueue' }).send('Good bye.')
finishReport()
console.log((await first).text)
console.log((await second).text)
console.log((await storage.messages(session)).size, 'messages')

/* prints:
conflict | Another run has been working on this conversation since …
The report has 42 pages.
Bye.
6 messages
*/
