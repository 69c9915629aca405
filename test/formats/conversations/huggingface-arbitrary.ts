import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyJson, anyObject, anyText, callId } from '../../arbitraries.ts'
import { objectOf } from '../messages/ui-message-arbitrary.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const input = fc.oneof(
  anyObject,
  anyObject.map((value) => JSON.stringify(value)),
  fc.constantFrom('{bad', null),
  anyJson,
)

const described = objectOf({ name: fc.constantFrom('weather', '__proto__'), arguments: input })

const call = fc.oneof(
  objectOf({ function: described }, { id: callId, type: fc.constant('function') }),
  objectOf({ name: fc.constant('weather'), arguments: input }),
)

const source = fc.constantFrom(
  'https://example.org/cat.png',
  'cats/1.png',
  PNG,
  `data:image/png;base64,${PNG}`,
)

const block = fc.oneof(
  objectOf({ type: fc.constant('text'), text: anyText }),
  objectOf({ type: fc.constant('image') }, { text: fc.constant(null), index: fc.nat(3) }),
  objectOf({ type: fc.constantFrom('image', 'video', 'audio'), url: source }),
  objectOf({ type: fc.constant('image'), image: source }),
  objectOf({
    type: fc.constant('image_url'),
    image_url: objectOf({ url: source }, { detail: fc.constant('low') }),
  }),
  objectOf({ type: fc.constant('odd'), value: anyJson }),
)

const content = fc.oneof(anyText, fc.array(block, { maxLength: 3 }))

const message = fc.oneof(
  objectOf(
    { role: fc.constantFrom('system', 'user', 'developer', 'ipython'), content },
    { name: fc.constant('Ada') },
  ),
  objectOf(
    { role: fc.constant('assistant') },
    {
      content: fc.oneof(content, fc.constant(null)),
      reasoning_content: anyText,
      thinking: anyText,
      tool_calls: fc.oneof(fc.array(call, { maxLength: 2 }), fc.constant(null)),
    },
  ),
  objectOf({ role: fc.constant('tool'), content }, { name: fc.constant('weather'), tool_call_id: callId }),
)

const messages = fc.array(message, { minLength: 1, maxLength: 4 })

const tool = objectOf({
  type: fc.constant('function'),
  function: objectOf(
    { name: fc.constantFrom('weather', 'time'), parameters: fc.constant({ type: 'object', properties: {} }) },
    { description: anyText, return: fc.constant({ type: 'string' }) },
  ),
})
const tools = fc.array(tool, { maxLength: 2 })

const image = fc.oneof(source, objectOf({ bytes: fc.constant(PNG) }, { path: fc.constant('cat.png') }))

const columns = {
  tools: fc.oneof(
    tools,
    tools.map((list) => JSON.stringify(list)),
    tools.map((list) => JSON.stringify(list, null, 1)),
  ),
  images: fc.array(image, { maxLength: 3 }),
  source: anyText,
}

/** Rows of datasets: the layouts of TRL, with tools, reasoning and images. */
export const anyHuggingFaceRow: fc.Arbitrary<JsonObject> = fc.oneof(
  objectOf({ messages }, columns),
  objectOf({ messages }, { image }),
  objectOf({ prompt: messages }, columns),
  objectOf({ prompt: messages, completion: messages }, { ...columns, label: fc.boolean() }),
  objectOf({ prompt: messages, chosen: messages, rejected: messages }, columns),
  objectOf({ chosen: messages, rejected: messages }, { prompt: anyText }),
  objectOf({ prompt: anyText, chosen: anyText, rejected: anyText }),
  objectOf({ prompt: anyText, completion: anyText }, { label: fc.boolean() }),
)
