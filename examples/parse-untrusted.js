// @ts-check
// Parses messages in shapes that other libraries store, and reports exactly what is wrong with invalid ones.
import { InterlinguaError } from 'interlingua'
import { parseMessages } from 'interlingua/parse'

const [question, answer, result] = parseMessages([
  { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/cat.png' } }] },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', function: { name: 'zoom', arguments: '{"by": 2' } }],
  },
  { role: 'tool', tool_call_id: 'c', content: 'ok', made_by: 'someone else' },
])
console.log(question?.content[0])
console.log(answer?.content[0])
console.log(result?.extra)

try {
  parseMessages([{ role: 'user', content: [{ type: 'hologram' }] }])
} catch (error) {
  if (error instanceof InterlinguaError) console.log(error.code, 'at', error.path, 'found', error.found)
}

// Messages of other formats are refused, not emptied; the hint says how to read them.
try {
  parseMessages([{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }])
} catch (error) {
  if (error instanceof InterlinguaError) console.log(`${error.code}: ${error.found}\n${error.hint}`)
}

// A user message with tool results, as Anthropic stores it, becomes a tool message and a user message.
const split = parseMessages([
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'c', content: 'ok' },
      { type: 'text', text: 'And now?' },
    ],
  },
])
console.log(split.map(({ role }) => role))

/* prints:
{
  type: 'image',
  source: { kind: 'url', url: 'https://example.com/cat.png' }
}
{
  type: 'tool-call',
  id: 'c',
  name: 'zoom',
  invalidArguments: '{"by": 2'
}
{ unknown: { made_by: 'someone else' } }
unknown-part-type at /0/content/0/type found "hologram"
unknown-message-format: what looks like a UIMessage of the AI SDK
Use `fromMessages` of interlingua/formats.
[ 'tool', 'user' ]
*/
