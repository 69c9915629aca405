// @ts-check
// Moves the history of one agent library to others, and reads the messages of a traced span.
import { textOf } from 'interlingua'
import { fromMessages, toMessages } from 'interlingua/formats'

// The history of an agent of the OpenAI Agents SDK.
const history = [
  { type: 'message', role: 'user', content: 'How warm is it in Oslo?' },
  { type: 'function_call', callId: 'c1', name: 'weather', arguments: '{"city":"Oslo"}' },
  {
    type: 'function_call_result',
    callId: 'c1',
    name: 'weather',
    status: 'completed',
    output: { type: 'text', text: '4 degrees' },
  },
]
const { value: messages, format } = fromMessages(history)
console.log(format, messages.map(({ role }) => role).join(', '))

// The same conversation for pydantic-ai in Python, for a client of AG-UI, and for pi.
const requests = toMessages(messages, { to: 'pydantic-ai' }).value
console.log(requests.map(({ kind, parts }) => `${kind} (${parts[0]?.part_kind})`).join(', '))
console.log(
  toMessages(messages, { to: 'ag-ui-messages' })
    .value.map(({ role }) => role)
    .join(', '),
)
console.log(
  toMessages(messages, { to: 'pi' })
    .value.map(({ role }) => role)
    .join(', '),
)

// What a format has no field for is reported.
const { losses } = toMessages(fromMessages([{ role: 'system', content: 'Be brief.' }]).value, { to: 'mcp' })
console.log(losses[0]?.reason)

// The attributes of a span: instructions, input and output are one conversation.
const traced = fromMessages({
  'gen_ai.system_instructions': '[{"type":"text","content":"Be brief."}]',
  'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]',
  'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"Hello"}]}]',
})
console.log(traced.format, traced.value.map((message) => textOf(message)).join(' / '))

/* prints:
openai-agents user, assistant, tool
request (user-prompt), response (tool-call), request (tool-return)
user, assistant, tool
user, assistant, toolResult
`[0].content` was omitted: a list of mcp messages has no system text, which is a field of the request.
opentelemetry Be brief. / Hi / Hello
*/
