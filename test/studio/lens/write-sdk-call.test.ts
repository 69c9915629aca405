import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dialect, type DialectName, dialects, type JsonObject } from 'interlingua'
import { writeSdkCall } from '../../../src/studio/page/lens/write-sdk-call.ts'
import { LensSession } from '../../../src/studio/page/lens/lens-session.ts'
import { lensTargets, listCopyForms } from '../../../src/studio/page/lens/lens-targets.ts'
import { rows } from '../../dialects/dialect-rows.ts'
import { type SdkRunner, type SentRequest, startSdkRunner } from './sdk-runner.ts'
import { isListed, listSentDifferences, type SentDifference } from './sent-difference.ts'

const dialectNames = Object.keys(dialects) as DialectName[]

/** Invalid bodies that a client refuses or changes, without a comment: the code checks names of fields, not their values. */
const exceptions: { readonly [name in DialectName]?: readonly string[] } = {
  // One object in place of a list, and contents without a role; a text as instructions.
  gemini: ['one object', 'words as instructions'],
  // An image that is a number.
  ollama: ['texts'],
  // A call without an id; a service tier that the client does not know.
  mistral: ['ids', 'limits'],
  // Lists and texts in place of tools.
  bedrock: ['tools that are no objects'],
  // A document that is a text; a tool of another type.
  cohere: ['data', 'odd'],
}

/** Fields of valid requests that a client refuses: that of Gemini has them for Vertex AI only. */
const unsupported: readonly string[] = ['tools[0].googleSearch.excludeDomains']

let runner: SdkRunner
beforeAll(async () => {
  runner = await startSdkRunner()
})
afterAll(() => runner.close())

/** What the written code sends for a body, compared with the body. */
interface Outcome {
  readonly sent: SentRequest | undefined
  readonly differences: readonly SentDifference[]
  /** The places that the comment in the code lists. */
  readonly listed: readonly string[]
}

async function send(name: DialectName, body: JsonObject, model = 'm', stream = false): Promise<Outcome> {
  const code = writeSdkCall(name, body, { model, stream })
  const listed = [...code.matchAll(/^\/\/ {3}(".*")$/gm)].map(([, text = '']) => JSON.parse(text) as string)
  const sent = await runner.run(code)
  return { sent, listed, differences: listSentDifferences(name, body, sent?.body) }
}

/** Returns the differences that the comment does not list. */
function listUnexplained({ sent, listed, differences }: Outcome): readonly SentDifference[] {
  if (sent === undefined && listed.length > 0) return []
  return differences.filter(({ place }) => !isListed(place, listed))
}

describe.each(dialectNames)('the code for the client of %s', (name) => {
  const dialect: Dialect = dialects[name]
  const { requests, oddRequests } = rows[name].requests

  /** Returns the body, the model and the stream setting of the lens for a body in any format. */
  function encode(from: DialectName, body: JsonObject): [JsonObject, string, boolean] {
    const source: Dialect = dialects[from]
    const request = source.decodeRequest(body).value
    const model = (from === name ? request.model : lensTargets[name].models[0]) ?? 'm'
    return [dialect.encodeRequest(request, { model }).value as JsonObject, model, request.stream === true]
  }

  test.each(Object.entries({ ...requests, ...oddRequests }))(
    'sends %s, or says what the client does not send',
    async (title, body) => {
      const outcome = await send(name, ...encode(name, body))
      const isException = exceptions[name]?.includes(title) === true
      expect(listUnexplained(outcome).length > 0, JSON.stringify(listUnexplained(outcome))).toBe(isException)
      // Every value of a comment is one that the client omits or refuses.
      for (const place of outcome.listed)
        expect(
          outcome.differences.some((difference) => isListed(difference.place, [place])),
          place,
        ).toBe(true)
    },
  )

  test('knows all fields of valid requests', async () => {
    const listed = new Set<string>()
    for (const body of Object.values(requests))
      for (const place of (await send(name, ...encode(name, body))).listed) listed.add(place)
    expect([...listed]).toEqual(name === 'gemini' ? unsupported : [])
  })

  test('calls the endpoint, for complete answers and streams', async () => {
    const { pathname } = new URL(lensTargets[name].baseUrl)
    const base = pathname === '/' ? '' : pathname
    for (const stream of [false, true]) {
      const request = { messages: [], model: 'm:1', stream }
      const body = dialect.encodeRequest(request, { model: 'm:1' }).value as JsonObject
      const contents = name === 'gemini' ? { ...body, contents: [{ role: 'user', parts: [] }] } : body
      const { sent, differences } = await send(name, contents, 'm:1', stream)
      const path = `${base}${dialect.endpoint(request, { model: 'm:1' }).path}`
      expect(decodeURIComponent(sent?.path.split('?')[0] ?? '')).toBe(decodeURIComponent(path))
      expect(differences).toEqual([])
    }
  })

  test.each(dialectNames.filter((each) => each !== name))('sends the requests of %s', async (from) => {
    for (const [title, body] of Object.entries(rows[from].requests.requests)) {
      const { listed, differences } = await send(name, ...encode(from, body))
      expect({ title, listed, differences }).toEqual({ title, listed: [], differences: [] })
    }
  })

  test('lists every unknown field that the client omits', async () => {
    for (const [title, body] of Object.entries(requests)) {
      const outcome = await send(name, addField(body) as JsonObject, 'm')
      expect(listUnexplained(outcome), title).toEqual([])
    }
  })
})

const schema = { type: 'object', properties: { schema: { type: 'string' }, zip_code: { type: 'string' } } }
const keys = { zip_code: 1, schema: 2, bytes: 'AAAA', max_tokens: { role_name: 'x' }, type: 'text' }

describe('keys that the application chooses are not renamed', () => {
  const user = { role: 'user', content: 'Hi' }
  const rowsOfKeys: readonly (readonly [DialectName, JsonObject])[] = [
    [
      'mistral',
      {
        model: 'm',
        metadata: keys,
        messages: [
          user,
          { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: keys } }] },
        ],
        tools: [{ type: 'function', function: { name: 'f', parameters: schema } }],
        response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
      },
    ],
    [
      'cohere',
      {
        model: 'm',
        documents: [{ id: 'd', data: keys }],
        messages: [
          user,
          { role: 'assistant', citations: [{ sources: [{ type: 'tool', id: 't', tool_output: keys }] }] },
          { role: 'tool', tool_call_id: 'c', content: [{ type: 'document', document: { data: keys } }] },
        ],
        tools: [{ type: 'function', function: { name: 'f', parameters: schema } }],
        response_format: { type: 'json_object', json_schema: schema },
      },
    ],
    [
      'bedrock',
      {
        additionalModelRequestFields: keys,
        requestMetadata: { bytes: 'AAAA' },
        messages: [
          { role: 'assistant', content: [{ toolUse: { toolUseId: 'c', name: 'f', input: keys } }] },
          { role: 'user', content: [{ toolResult: { toolUseId: 'c', content: [{ json: keys }] } }] },
        ],
        toolConfig: { tools: [{ toolSpec: { name: 'f', inputSchema: { json: schema } } }] },
      },
    ],
  ]

  test.each(rowsOfKeys)('%s', async (name, body) => {
    const { listed, differences } = await send(name, body)
    expect(listed).toEqual([])
    const added = differences.filter(({ expected }) => expected === undefined)
    expect(differences).toEqual(added)
    // Mistral's client adds the type and the index of a call.
    expect(added.map(({ place }) => place.split('.').at(-1))).toEqual(name === 'mistral' ? ['type'] : [])
  })
})

test('the lens copies the code of every dialect', async () => {
  const session = new LensSession()
  await session.analyze({
    input: '{"model":"gpt-5.4","messages":[{"role":"user","content":"Hi"}]}',
    models: {},
  })
  for (const name of dialectNames) {
    expect(listCopyForms(name, 'request').map(([form]) => form)).toContain('sdk')
    const sent = await runner.run(session.copy(name, 'sdk'))
    const body: unknown = JSON.parse(session.copy(name, 'body'))
    expect(listSentDifferences(name, body, sent?.body)).toEqual([])
  }
})

test.each(['mistral', 'cohere'] as const)('the client of %s has names in camel case', (name) => {
  for (const body of Object.values(rows[name].requests.requests)) {
    const code = writeSdkCall(name, body, { model: 'm', stream: false })
    expect(code.match(/"[a-z]+_\w+":/g) ?? []).toEqual([])
  }
})

test('settings of Gemini that are no object are listed', async () => {
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
  const { listed } = await send('gemini', { contents, generationConfig: 'none' })
  expect(listed).toEqual(['generationConfig'])
})

test('a key that is the prototype in JavaScript stays a key', async () => {
  const body = JSON.parse('{"model":"m","metadata":{"__proto__":{"a":1}},"messages":[]}') as JsonObject
  const { sent } = await send('openai-chat', body)
  expect(JSON.stringify(sent?.body)).toBe(JSON.stringify(body))
})

test('the name of an unknown field cannot end its comment', async () => {
  const names = ['a\nthrow 1', 'a\u2028throw 2', 'a\u2029throw 3']
  const body = { messages: [], ...Object.fromEntries(names.map((name) => [name, 1])) }
  const { sent, listed } = await send('bedrock', body)
  expect(listed).toEqual(names)
  expect(sent?.body).toEqual({ messages: [] })
})

test('bytes are written as a Buffer, unless they are no base64', () => {
  const write = (bytes: string): string => {
    const image = { format: 'png', source: { bytes } }
    const body = { messages: [{ role: 'user', content: [{ image }] }] }
    return writeSdkCall('bedrock', body, { model: 'm', stream: false })
  }
  expect(write('iVBORw0KGgo=')).toContain(`"bytes": Buffer.from('iVBORw0KGgo=', 'base64')`)
  expect(write('iVBO Rw0=')).toContain('//   "messages[0].content[0].image.source.bytes"')
  expect(write(`AA'); throw 1`)).toContain(`"bytes": "AA'); throw 1"`)
})

/** Returns a value with one more field in each object. */
function addField(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addField)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, addField(each)])
  return { ...Object.fromEntries(entries), new_field: {} }
}
