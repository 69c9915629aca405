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
*/
