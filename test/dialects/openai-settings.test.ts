// Settings that Chat Completions and Responses share are translated between them without a loss.
import { type DialectName, dialects, type JsonObject, translateRequest } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { again, expectSame } from '../law-assertions.ts'

const schema = { type: 'object', properties: {}, required: [], additionalProperties: false }
const format = { name: 'city', description: 'A city of Norway', schema, strict: true }

/** Each setting in both formats. */
const settings: { readonly [name: string]: readonly [chat: JsonObject, responses: JsonObject] } = {
  service_tier: [{ service_tier: 'flex' }, { service_tier: 'flex' }],
  store: [{ store: true }, { store: true }],
  'store: false': [{ store: false }, { store: false }],
  verbosity: [{ verbosity: 'low' }, { text: { verbosity: 'low' } }],
  safety_identifier: [{ safety_identifier: 'pseudonym' }, { safety_identifier: 'pseudonym' }],
  prompt_cache_key: [{ prompt_cache_key: 'session' }, { prompt_cache_key: 'session' }],
  user: [{ user: 'u-1' }, { user: 'u-1' }],
  metadata: [{ metadata: { ticket: '7' } }, { metadata: { ticket: '7' } }],
  'description of a schema': [
    { response_format: { type: 'json_schema', json_schema: format } },
    { text: { format: { type: 'json_schema', ...format } } },
  ],
  'format and verbosity': [
    { response_format: { type: 'json_object' }, verbosity: 'high' },
    { text: { format: { type: 'json_object' }, verbosity: 'high' } },
  ],
}

const chatBody = (fields: JsonObject): JsonObject => ({
  model: 'm',
  messages: [{ role: 'user', content: 'Hi' }],
  ...fields,
})
const responsesBody = (fields: JsonObject): JsonObject => ({
  model: 'm',
  input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
  ...fields,
})

describe.each(Object.entries(settings))('%s', (_name, [chat, responses]) => {
  test('from Chat Completions to Responses', () => {
    const made = translateRequest(chatBody(chat), { from: 'openai-chat', to: 'openai-responses' })
    expectSame(again(made), { value: responsesBody(responses), losses: [] })
  })

  test('from Responses to Chat Completions', () => {
    const made = translateRequest(responsesBody(responses), { from: 'openai-responses', to: 'openai-chat' })
    expectSame(again(made), { value: chatBody(chat), losses: [] })
  })
})

describe('settings that only OpenAI has', () => {
  const own = {
    ...settings['service_tier']?.[0],
    store: true,
    verbosity: 'low',
    prompt_cache_key: 'k',
    safety_identifier: 's',
  }
  const request = dialects['openai-chat'].decodeRequest(chatBody(own)).value
  const everything = ['/promptCacheKey', '/safetyIdentifier', '/serviceTier', '/store', '/verbosity']

  test.each([
    ['anthropic', undefined, everything],
    ['gemini', undefined, everything],
    ['ollama', undefined, everything],
    ['openai-chat', 'mistral', everything],
    ['openai-chat', 'groq', everything.filter((path) => path !== '/serviceTier')],
    ['openai-chat', 'moonshot', ['/serviceTier', '/store', '/verbosity']],
    ['openai-chat', 'azure', []],
  ] as const)('%s %s: the omitted ones are reported', (name: DialectName, flavor, omitted) => {
    const { value, losses } = dialects[name].encodeRequest(request, { ...(flavor && { flavor }) })
    expect(
      losses
        .map(({ path }) => path)
        .filter((path) => everything.includes(path))
        .toSorted(),
    ).toEqual(omitted)
    const sent = Object.keys(value).filter((key) => Object.hasOwn(own, key))
    expect(sent).toHaveLength(everything.length - omitted.length)
  })

  test('a host gets back what it sent itself', () => {
    const body = chatBody({ ...own, prompt_cache_key: 'k' })
    const received = dialects['openai-chat'].decodeRequest(body, { flavor: 'mistral' }).value
    expectSame(again(dialects['openai-chat'].encodeRequest(received, { flavor: 'mistral' })), {
      value: body,
      losses: [],
    })
  })

  test.each(['anthropic', 'gemini', 'ollama'] as const)(
    '%s: the description of a schema is in the schema',
    (name) => {
      const described = { type: 'json', schema, name: 'city', description: 'A city of Norway' } as const
      const { value, losses } = dialects[name].encodeRequest({ ...request, output: described })
      expect(JSON.stringify(value)).toContain('"description":"A city of Norway"')
      expect(losses).toEqual(expect.arrayContaining([expect.objectContaining({ rule: 'output-described' })]))
      const taken = { ...described, schema: { ...schema, description: 'Its own' } }
      const rules = dialects[name].encodeRequest({ ...request, output: taken }).losses
      expect(rules).toEqual(
        expect.arrayContaining([expect.objectContaining({ rule: 'no-field', path: '/output/description' })]),
      )
    },
  )
})
