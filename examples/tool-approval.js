// @ts-check
// Human in the loop: the run pauses, is stored as plain JSON, and continues in another process.
import { describeCall, toolCall } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { z } from 'zod'

const list = tool({ name: 'list', description: 'Lists old files.', run: () => ['a.log', 'b.log'] })
const remove = tool({
  name: 'remove',
  description: 'Deletes a file.',
  input: z.object({ path: z.string() }),
  needsApproval: true,
  run: ({ path }) => {
    console.log('deleting', path)
    return 'deleted'
  },
})
const askUser = tool({ name: 'ask_user', description: 'Asks the user; the application shows the question.' })

const model = scripted([
  toolCall({ id: 'call_1', name: 'list' }),
  [
    toolCall({ id: 'call_2', name: 'remove', arguments: { path: 'a.log' } }),
    toolCall({ id: 'call_3', name: 'remove', arguments: { path: 'b.log' } }),
    toolCall({ id: 'call_4', name: 'ask_user' }),
  ],
  'One file is gone, and one is kept.',
])
const agent = new Agent({ model, tools: [list, remove, askUser] })

const first = await agent.send('Delete the old files')
console.log(first.finish.reason)
for (const { call, waitsFor } of first.paused?.pending ?? [])
  console.log(describeCall(call), 'waits for', waitsFor)

// Plain JSON: can be stored in a database and resumed by another process.
const stored = JSON.stringify({ history: first.messages, paused: first.paused })
const { history, paused } = JSON.parse(stored)

const decisions = /** @type {const} */ ({
  call_2: 'approve',
  call_3: { deny: 'This one is still needed.' },
  call_4: { output: 'Never mind.' },
})
const second = await agent.resume(paused, decisions, { history })
console.log(second.text)

// An agent used as a tool can pause, too, and pauses the run; its calls are approved like all others.
const cleaner = new Agent({
  model: scripted([
    toolCall({ id: 'call_1', name: 'remove', arguments: { path: 'c.log' } }),
    'c.log is gone.',
  ]),
  tools: [remove],
})
const manager = new Agent({
  model: scripted([
    toolCall({ id: 'call_5', name: 'cleaner', arguments: { prompt: 'Clean up' } }),
    'All clean.',
  ]),
  tools: [cleaner.asTool({ name: 'cleaner', description: 'Cleans up.' })],
})
const third = await manager.send('Have it cleaned')
const waiting = third.paused?.pending ?? []
console.log(waiting.map(({ call }) => call.id))
const approved = Object.fromEntries(waiting.map(({ call }) => [call.id, /** @type {const} */ ('approve')]))
if (third.paused)
  console.log((await manager.resume(third.paused, approved, { history: third.messages })).text)

/* prints:
approval
remove(path=a.log) waits for approval
remove(path=b.log) waits for approval
ask_user() waits for execution
deleting a.log
One file is gone, and one is kept.
[ 'call_5/call_1' ]
deleting c.log
All clean.
*/
