import {
  assistant,
  image,
  type JsonObject,
  type MessageInput,
  type MessageRenderer,
  Messages,
  MessageStore,
  renderMessages,
  system,
  text,
  textOf,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyMessages } from '../../arbitraries.ts'
import { expectSame, law } from '../../law-assertions.ts'

const createdAt = '2026-01-02T03:04:05.000Z'
const filled = (input: MessageInput, parameters?: JsonObject): string =>
  renderMessages(input, parameters).toText()

describe('renderMessages', () => {
  test('[r72] fills parameters into the text of messages and gives new ones', () => {
    const template = Messages.of(system('You help {{company}}.', { id: 's', createdAt }))
    const rendered = renderMessages(template, { company: 'Acme' })
    expect(rendered.toArray()).toEqual([
      { id: 's', createdAt, role: 'system', content: [{ type: 'text', text: 'You help Acme.' }] },
    ])
    expect(template.toText()).toBe('You help {{company}}.')
  })

  test('[r72] is a renderer for a conversation and its parameters', () => {
    const render: MessageRenderer = renderMessages
    const store = MessageStore.fromMessages('Greet {{name}}.').parameters.set('name', 'Ada')
    expect(render(store.toMessages(), store.parameters.all).toText()).toBe('Greet Ada.')
  })

  test('[r72] reaches into objects, and prefers a key that holds the whole path', () => {
    const parameters = {
      order: { total: 12, items: [{ sku: 'x' }] },
      'a.b': 'flat',
      a: { b: 'deep', c: 'C' },
    }
    expect(filled('{{order.total}} {{ a.b }} {{a.c}}', parameters)).toBe('12 flat C')
    expect(filled('{{order.items}}', parameters)).toBe('[{"sku":"x"}]')
  })

  test('[r72] writes what is not text as JSON', () => {
    expect(filled('{{a}} {{b}} {{c}} {{d}}', { a: null, b: false, c: 1.5, d: '' })).toBe('null false 1.5 ')
  })

  test('[r72] what has no value stays as it is', () => {
    const template = '{{missing}} {{order.missing}} {{text.length}} {{}} {{a b}} {single}'
    expect(filled(template, { order: {}, text: 'abc', single: 'x', a: 'x' })).toBe(template)
    expect(filled('Hello {{name}}')).toBe('Hello {{name}}')
  })

  test('only own keys are values', () => {
    const template = '{{constructor}} {{toString}} {{__proto__}} {{a.constructor.name}} {{a.__proto__}}'
    expect(filled(template, { a: {} })).toBe(template)
    expect(filled('{{__proto__}}', JSON.parse('{"__proto__":"own"}') as JsonObject)).toBe('own')
  })

  test('what was filled in is neither looked at again nor taken for a pattern', () => {
    expect(filled('{{a}} {{b}}', { a: '{{b}}', b: "$& $1 $' {{a}}" })).toBe("{{b}} $& $1 $' {{a}}")
  })

  test('the text of a model or a tool is never filled in', () => {
    const said = [
      assistant(['{{name}}', toolCall({ id: 'c', name: 'look', arguments: { who: '{{name}}' } })], {
        id: 'a',
      }),
      toolResults(toolResult('c', '{{name}}'), { id: 't' }),
    ]
    const rendered = renderMessages(said, { name: 'Ada' })
    expect(rendered.at(0)).toBe(said[0])
    expect(rendered.at(1)).toBe(said[1])
  })

  test('system, developer and user messages are filled in', () => {
    const messages = Messages.of().system('1 {{x}}').developer('2 {{x}}').user('3 {{x}}')
    expect(renderMessages(messages, { x: 'y' }).toText()).toBe('1 y\n2 y\n3 y')
  })

  test('parts that are not text stay, and the others keep their fields', () => {
    const picture = image('https://example.com/{{x}}.png')
    const message = user(['{{x}}', picture, text('{{x}}', { cache: { ttl: 'long' } })], {
      metadata: { x: '{{x}}' },
    })
    const [rendered] = renderMessages(message, { x: 'cat' })
    expect(rendered?.content).toEqual([
      { type: 'text', text: 'cat' },
      picture,
      { type: 'text', text: 'cat', cache: { ttl: 'long' } },
    ])
    expect(rendered?.metadata).toEqual({ x: '{{x}}' })
  })

  test('hostile text costs no more than its length', () => {
    const braces = '{{ '.repeat(100_000)
    expect(filled(`${braces}{{x}}`, { x: 'y' })).toBe(`${braces}y`)
    const name = `{{${'x'.repeat(200_000)}`
    expect(filled(name, { x: 'y' })).toBe(name)
  })

  test('changes nothing but text, and nothing at all where no parameter is named', () => {
    law(anyMessages, (messages) => {
      const templates = Messages.from(messages).append('{{x.y}}', assistant('{{x.y}}'))
      const before = structuredClone(templates.toArray())
      const rendered = renderMessages(templates, { x: { y: '42' } })
      expectSame(rendered.slice(0, -2).toArray(), messages)
      expectSame(
        rendered.slice(-2).map((message) => textOf(message)),
        ['42', '{{x.y}}'],
      )
      expectSame(templates.toArray(), before)
    })
  })
})
