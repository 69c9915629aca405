// @ts-check
// Reads conversations that other libraries stored, sends them to another format, and writes them back unchanged.
import { isDeepStrictEqual } from 'node:util'
import { dialects, textOf, user } from 'interlingua'
import { fromMessages, toMessages } from 'interlingua/formats'

// A chat of `useChat`. Each step becomes an assistant message, followed by the results of its calls.
const chat = [
  { id: '1', role: 'user', parts: [{ type: 'text', text: 'How warm is it in Oslo?' }] },
  {
    id: '2',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      {
        type: 'tool-weather',
        toolCallId: 'c1',
        state: 'output-available',
        input: { city: 'Oslo' },
        output: 4,
      },
      { type: 'step-start' },
      { type: 'text', text: 'It is 4 degrees.', state: 'done' },
    ],
  },
]
const imported = fromMessages(chat)
console.log(imported.format, imported.value.map(({ role }) => role).join(', '))

const written = toMessages(imported.value, { to: 'ai-sdk-ui-messages' })
console.log('unchanged:', isDeepStrictEqual(written.value, chat))

// The conversation continues with another library, or with a model.
const history = toMessages(imported.value, { to: 'langchain' }).value
console.log(history.map(({ type }) => type).join(', '))
const messages = [...imported.value, user('And tomorrow?')]
const { value: body } = dialects.anthropic.encodeRequest({ model: 'claude-sonnet-5', messages })
console.log(body.messages.map(({ role }) => role).join(', '))

// A serialized constructor of LangChain is data: nothing is called.
const [message] = fromMessages([
  {
    lc: 1,
    type: 'constructor',
    id: ['langchain', 'schema', 'messages', 'HumanMessage'],
    kwargs: { content: 'Hi', type: 'human' },
  },
]).value
console.log(message && textOf(message))

/* prints:
ai-sdk-ui-messages user, assistant, tool, assistant
unchanged: true
human, ai, tool, ai
user, assistant, user, assistant, user
Hi
*/
