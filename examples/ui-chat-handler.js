// @ts-check
// Answers `useChat` from a stored conversation: a tool that needs approval, and a page that is loaded again.
import { toolCall } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { createUIChatHandler, loadUIMessages } from 'interlingua/handlers'
import { scripted } from 'interlingua/providers'
import { memoryStorage, memoryStreamLog } from 'interlingua/stores'

const agent = new Agent({
  model: scripted([
    toolCall({ id: 'call_1', name: 'remove', arguments: { file: 'a.txt' } }),
    'It is removed.',
  ]),
  tools: [tool({ name: 'remove', needsApproval: true, run: () => 'removed' })],
})

// In production: sqliteStorage and sqliteStreamLog, or those of PostgreSQL, and a tenant for each user.
const storage = memoryStorage()
const streams = memoryStreamLog()
const handler = createUIChatHandler({ agent, storage, streams })

/** @param {object} message */
async function post(message) {
  const body = JSON.stringify({ id: 'chat-1', trigger: 'submit-message', messages: [message] })
  const headers = { 'content-type': 'application/json' }
  const response = await handler(new Request('http://localhost/api/chat', { method: 'POST', headers, body }))
  const frames = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'))
  const types = frames.map((line) => JSON.parse(line.slice('data: '.length)).type)
  console.log(response.status, types.join(' '))
}

await post({ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Remove a.txt' }] })

// The page is loaded again: the call still waits for approval.
const messages = await loadUIMessages({ storage, session: 'chat-1', agent })
const last = messages.at(-1)
const [part] = last?.parts.filter(({ type }) => type === 'tool-remove') ?? []
console.log(last?.role, part && 'state' in part && part.state)

// No answer is being written, so there is nothing to continue.
const resumed = await handler(new Request('http://localhost/api/chat/chat-1/stream'))
console.log(resumed.status)

// The user approves; `useChat` posts the message with its decision.
const approval = { id: 'call_1', approved: true }
await post({ ...last, parts: [{ ...part, state: 'approval-responded', approval }] })

/* prints:
200 start start-step tool-input-start tool-input-delta tool-input-available tool-approval-request finish-step finish
assistant approval-requested
204
200 start tool-output-available start-step text-start text-delta text-delta text-delta text-end finish-step finish
*/
