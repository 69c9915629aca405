import {
  InterlinguaError,
  type JsonObject,
  type Message,
  MessageStore,
  Messages,
  textOf,
  toJson,
  user,
} from 'interlingua'
import { fromMessages, type MessageFormatName, toMessages } from 'interlingua/formats'
import { describe, expect, test } from 'vitest'
import { law, catchTypedError } from '../../law-assertions.ts'
import { formatRows } from './format-table.ts'
import { inputsByFormat } from './recognized-inputs.ts'

const readText = (message: Message): string => textOf(message)

describe('fromMessages recognizes', () => {
  test.each(Object.entries(inputsByFormat))('%s', (name, inputs) => {
    for (const [title, input] of Object.entries(inputs)) {
      const { format, value } = fromMessages(input)
      expect([title, format]).toEqual([title, name])
      expect(value.some(({ content }) => content.length > 0)).toBe(true)
      expect(fromMessages(JSON.stringify(input)).value.map(readText)).toEqual(value.map(readText))
      if (Array.isArray(input)) {
        const lines = input.map((each) => JSON.stringify(each)).join('\n')
        expect(fromMessages(lines).format).toBe(name)
        expect(fromMessages({ id: 'chat', messages: input }).format).toBe(name)
        expect(fromMessages(input, { from: name as MessageFormatName }).value.map(readText)).toEqual(
          value.map(readText),
        )
      }
    }
  })

  test('its own stored forms', () => {
    const given = [user('Hi'), user('again')]
    const store = MessageStore.of({ name: 'main', messages: Messages.from(given) })
    for (const input of [
      given,
      toJson(given),
      toJson(store),
      JSON.stringify(toJson(given)),
      Messages.from(given),
    ]) {
      const { format, value } = fromMessages(input)
      expect([format, value.map(readText)]).toEqual(['interlingua', ['Hi', 'again']])
    }
    expect(fromMessages(toJson(user('Hi'))).value.map(readText)).toEqual(['Hi'])
  })

  test('the branch of an exported session', () => {
    const line = (id: string, parentId?: string): JsonObject => ({
      ...(toJson(user(id, { id, ...(parentId !== undefined && { parentId }) })) as unknown as JsonObject),
      section: 'main',
    })
    const header = { interlingua: 1, session: { id: 's' }, sections: [{ name: 'main', head: 'c' }] }
    const lines = [header, line('a'), line('b', 'a'), line('c', 'a')]
    expect(fromMessages(lines).value.map(readText)).toEqual(['a', 'c'])
  })
})

test('a request keeps its system text, and its settings are reported', () => {
  const { value, losses } = fromMessages({
    model: 'claude-sonnet-5',
    max_tokens: 10,
    system: 'Be brief.',
    temperature: 0,
    messages: [{ role: 'user', content: 'Hi' }],
  })
  expect(value.map(({ role }) => role)).toEqual(['system', 'user'])
  expect(losses.map(({ path, rule }) => `${path} ${rule}`)).toEqual(['/temperature request-field'])
})

test('a list of Anthropic messages reports system text, which is a field of the request', () => {
  const given = fromMessages([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ]).value
  const { value, losses } = toMessages(given, { to: 'anthropic' })
  expect(value.map(({ role }) => role)).toEqual(['user'])
  expect(losses.map(({ path, rule }) => `${path} ${rule}`)).toEqual(['/0/content system-outside'])
})

/** Inputs that no format fits, and the pointer of the error. */
const unrecognized: { readonly [title: string]: readonly [input: unknown, code: string, path: string] } = {
  'no messages': [42, 'invalid-type', ''],
  'an object of something else': [{ title: 'x', done: false }, 'unknown-message-format', '/0'],
  'a list of texts': [['a', 'b'], 'unknown-message-format', '/0'],
  'text that is not JSON': ['hello', 'not-json', '/0'],
  'a UI message among other things': [
    [{ id: 'a', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }, { title: 'x' }],
    'unknown-message-format',
    '/1',
  ],
  'a part that is no object': [
    [{ id: 'a', role: 'user', parts: [{ type: 'text', text: '' }, 3] }],
    'invalid-type',
    '/0/parts/1',
  ],
  'a text without text': [
    [{ id: 'a', role: 'user', parts: [{ type: 'text' }] }],
    'missing-field',
    '/0/parts/0/text',
  ],
  'a call without an id': [
    [{ id: 'a', role: 'assistant', parts: [{ type: 'tool-x', state: 'input-available', input: {} }] }],
    'missing-field',
    '/0/parts/0/id',
  ],
}

test.each(Object.entries(unrecognized))('an error names %s', (_, [input, code, path]) => {
  const error = catchTypedError(() => fromMessages(input))
  expect([error.code, error.path]).toEqual([code, path])
  expect(error.expected).toBeTruthy()
})

describe('hostile input', () => {
  test('a value that contains itself', () => {
    const cyclic: Record<string, unknown> = { role: 'user', content: 'Hi' }
    cyclic['metadata'] = { cyclic, again: cyclic }
    expect(catchTypedError(() => fromMessages([cyclic])).code).toBe('cyclic')
  })

  test('a value that is nested too deeply', () => {
    const deep = JSON.parse('['.repeat(5000) + ']'.repeat(5000)) as unknown
    expect(catchTypedError(() => fromMessages([{ role: 'user', content: deep }])).code).toBe('too-deep')
    expect(
      catchTypedError(() =>
        fromMessages(`[{"role":"user","content":${'['.repeat(5000)}${']'.repeat(5000)}}]`),
      ).code,
    ).toBe('too-deep')
  })

  test('keys that reach a prototype are data', () => {
    const text =
      '[{"id":"a","role":"user","__proto__":{"polluted":1},"parts":[{"type":"text","text":"x","__proto__":{"polluted":1}}]}]'
    const { value } = fromMessages(text)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect(JSON.stringify(toMessages(value, { to: 'ai-sdk-ui-messages' }).value)).toContain('__proto__')
  })

  test('any JSON is read or refused with a typed error', () => {
    for (const { messages } of formatRows)
      law(
        messages,
        (wire) => {
          const broken = JSON.parse(
            JSON.stringify(wire).replace(/"(text|parts|content|type)":/, '"x$1":'),
          ) as unknown
          try {
            fromMessages(broken)
          } catch (error) {
            expect(error).toBeInstanceOf(InterlinguaError)
          }
        },
        20,
      )
  })
})

test('losses can be refused', () => {
  const given = [user('Hi', { name: 'Ada' })]
  expect(catchTypedError(() => toMessages(given, { to: 'ai-sdk-ui-messages', onLoss: 'error' })).code).toBe(
    'loss-refused',
  )
})

test('signatures of llm-msg-io are those of the parts that they belong to', () => {
  const [, signed] = fromMessages(inputsByFormat['llm-msg-io']?.['a tool loop']).value
  expect(signed?.content[0]?.signature).toMatchObject({ vendor: 'google', value: 's' })
  const [thought] = fromMessages(inputsByFormat['llm-msg-io']?.['thinking blocks']).value
  expect(thought?.content[0]).toMatchObject({ type: 'reasoning', text: 'Hm' })
  expect(thought?.content[0]?.signature).toMatchObject({ vendor: 'anthropic', value: 's' })
})

test('an edited image is written without the image that was read', () => {
  const { value } = fromMessages([
    {
      role: 'user',
      content: [{ type: 'image', image: 'https://example.org/a.png', mediaType: 'image/png' }],
    },
  ])
  const edited = value.map((message) => ({
    ...message,
    content: [{ ...message.content[0], source: { kind: 'url', url: 'https://example.org/b.png' } }],
  })) as unknown as Message[]
  const written = JSON.stringify(toMessages(edited, { to: 'ai-sdk-model-messages' }).value)
  expect(written).toContain('b.png')
  expect(written).not.toContain('a.png')
})

test.each(['neuron-ai', 'llm-msg-io'] as const)('%s: the provider of a file id is reported', (to) => {
  const write = (provider: string): readonly string[] =>
    toMessages([user([{ type: 'image', source: { kind: 'id', id: 'f', provider } }])], { to }).losses.map(
      ({ path }) => path,
    )
  expect(write('google')).toContain('/0/content/0/source/provider')
  expect(write('openai')).not.toContain('/0/content/0/source/provider')
})
