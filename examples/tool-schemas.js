// @ts-check
// One tool schema: what each provider accepts of it, and how the arguments are converted back.
import { dialects, user } from 'interlingua'
import { fitSchema, stripStrictNulls, toJsonSchema, validateValue } from 'interlingua/schema'

const search = toJsonSchema({
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1 },
    limit: { type: 'integer', exclusiveMinimum: 0, maximum: 50 },
    sort: { enum: ['newest', 'nearest'] },
  },
  required: ['query'],
  additionalProperties: false,
})

for (const target of /** @type {const} */ (['openai-strict', 'anthropic-strict', 'gemini-json-schema'])) {
  const { schema, strict, losses } = fitSchema(search, target)
  console.log(target, strict ? '(strict)' : '', JSON.stringify(schema))
  for (const { severity, rule, path } of losses) console.log(' ', severity, rule, 'at', path)
}

// A schema that cannot be strict is sent unchanged, and the loss states why.
const map = toJsonSchema({ type: 'object', additionalProperties: { type: 'number' } })
const { strict, losses } = fitSchema(map, 'openai-strict')
console.log('a map is strict:', strict, losses.map(({ rule, path }) => `${rule} at ${path}`).join())

// OpenAI sends null for optional properties; without the nulls, the arguments match the original schema.
const answer = { query: 'cafés', limit: null, sort: null }
console.log(
  (await validateValue(search, answer)).issues?.map(({ path }) => path).join(' '),
  'would be refused',
)
console.log(await validateValue(search, stripStrictNulls(answer, search)))

// The dialects do both automatically.
const openai = dialects['openai-chat']
/** @type {import('interlingua').FunctionTool} */
const tool = { type: 'function', name: 'search', input: search, strict: true }
const request = { model: 'gpt-5', messages: [user('A café?')], tools: [tool] }
const sent = openai.encodeRequest(request)
console.log('sent with', sent.losses.map(({ rule, path }) => `${rule} at ${path}`).join(', '))
const call = {
  id: 'call_1',
  type: 'function',
  function: { name: 'search', arguments: JSON.stringify(answer) },
}
const body = { choices: [{ message: { role: 'assistant', content: null, tool_calls: [call] } }] }
const [part] = openai.decodeResponse(body, { request }).value.candidates[0]?.content ?? []
console.log('called with', part?.type === 'tool-call' ? part.arguments : undefined)

/* prints:
openai-strict (strict) {"type":"object","properties":{"query":{"type":"string"},"limit":{"type":["integer","null"],"exclusiveMinimum":0,"maximum":50},"sort":{"anyOf":[{"type":"string","enum":["newest","nearest"]},{"type":"null"}]}},"required":["query","limit","sort"],"additionalProperties":false}
  loss schema-keyword at /properties/query/minLength
  note schema-optional at /properties/limit
  note schema-optional at /properties/sort
anthropic-strict (strict) {"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer"},"sort":{"type":"string","enum":["newest","nearest"]}},"required":["query"],"additionalProperties":false}
  loss schema-keyword at /properties/query/minLength
  loss schema-keyword at /properties/limit/exclusiveMinimum
  loss schema-keyword at /properties/limit/maximum
gemini-json-schema  {"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer","maximum":50,"minimum":1},"sort":{"type":"string","enum":["newest","nearest"]}},"required":["query"],"additionalProperties":false}
  loss schema-keyword at /properties/query/minLength
a map is strict: false not-strict-open at /additionalProperties
/limit /sort would be refused
{ value: { query: 'cafés' } }
sent with schema-keyword at /tools/0/input/properties/query/minLength, schema-optional at /tools/0/input/properties/limit, schema-optional at /tools/0/input/properties/sort
called with { query: 'cafés' }
*/
