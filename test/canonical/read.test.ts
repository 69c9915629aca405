import {
  addUsage,
  assistant,
  describeCall,
  FINISH_REASONS,
  image,
  messageKind,
  reasoning,
  reasoningOf,
  refusal,
  ROLES,
  sameContent,
  text,
  textOf,
  toolCall,
  toolCallsOf,
  toolResult,
  toolResults,
  toolResultsOf,
  user,
  withArguments,
} from 'interlingua'
import {
  stringifyArguments,
  isMessage,
  isMessageLike,
  isPart,
  isRole,
  isSystemRole,
  parseMessage,
  parseRole,
} from 'interlingua/parse'
import { isEmptyContent, isEmptyMessage, isEmptyPart } from 'interlingua/content'
import { describe, expect, test } from 'vitest'
import { isPlainText } from '../../src/canonical/read/content-checks.ts'
import { anyUsage } from '../arbitraries.ts'
import { expectSame, law } from '../law-assertions.ts'
import fc from 'fast-check'

describe('textOf', () => {
  test('[r24, C14, C15] joins all text of a message, with nothing between', () => {
    expect(textOf(assistant(['Hello', ' ', 'world']))).toBe('Hello world')
    expect(textOf(assistant(['a', image('https://example.com'), 'b']), '\n')).toBe('a\nb')
    expect(textOf(user([]))).toBe('')
  })

  test('[r6, C9] is empty for a message of calls, and keeps text beside calls', () => {
    const call = toolCall({ name: 'f' })
    expect(textOf(assistant(call))).toBe('')
    expect(textOf(assistant(['Let me look.', call]))).toBe('Let me look.')
  })

  test('[r25] of a text part is its text, of a tool result its content', () => {
    expect(textOf(text('Hi'))).toBe('Hi')
    expect(textOf(toolResult('c', [text('a'), text('b')]))).toBe('ab')
    expect(textOf(toolResult('c', { celsius: 4 }))).toBe('{"celsius":4}')
    expect(textOf(toolResults([toolResult('c', 'one'), toolResult('d', 'two')]), '\n')).toBe('one\ntwo')
    expect(textOf([text('a'), text('b')])).toBe('ab')
  })

  test('[r167, r201] leaves reasoning and refusals out', () => {
    const answer = assistant([reasoning('Hm.'), refusal('I cannot.'), 'Sorry.'])
    expect(textOf(answer)).toBe('Sorry.')
    expect(reasoningOf(answer)).toBe('Hm.')
  })
})

describe('calls and results', () => {
  const call = toolCall({
    id: 'call_1',
    name: 'search',
    arguments: { q: 'hello', filters: { recent: true } },
  })

  test('[r89, r90] of a message come as a plain list', () => {
    const calls = toolCallsOf(assistant([call, 'and', toolCall({ name: 'other' })]))
    expect([calls.length, calls[0]?.name, calls.at(-1)?.name]).toEqual([2, 'search', 'other'])
    expect(calls.map(({ name }) => name).filter((name) => name !== 'other')).toEqual(['search'])
    expect(toolResultsOf(toolResults(toolResult(call, 'x')))[0]?.callId).toBe('call_1')
  })

  test('[r85] of a message without calls there are none: no sentinel can be taken for a call', () => {
    expect(toolCallsOf(user('Hi'))).toEqual([])
    expect(toolCallsOf(user('Hi'))[0]).toBeUndefined()
  })

  test('[r86, r92] a call gives its arguments as an object, as JSON text, and as a line for people', () => {
    expect(call.arguments?.['q'] ?? 'none').toBe('hello')
    expect(call.arguments?.['missing'] ?? 'none').toBe('none')
    expect(stringifyArguments(call)).toBe('{"q":"hello","filters":{"recent":true}}')
    expect(describeCall(call)).toBe('search(q=hello, filters={"recent":true})')
    expect(describeCall(toolCall({ name: 'f', arguments: '{bad' }))).toBe('f({bad)')
    expect(JSON.parse(JSON.stringify(call))).toEqual(call)
  })

  test('[r87] arguments can be replaced by an object or by text; stale text goes', () => {
    const spaced = toolCall({ id: 'c', name: 'f', arguments: '{"a": 1}' })
    expect(stringifyArguments(spaced)).toBe('{"a": 1}')
    expect(stringifyArguments(withArguments(spaced, { a: 2 }))).toBe('{"a":2}')
    expect(withArguments(spaced, '{bad')).toEqual({
      type: 'tool-call',
      id: 'c',
      name: 'f',
      invalidArguments: '{bad',
    })
    expect(stringifyArguments({ ...spaced, arguments: { a: 3 } })).toBe('{"a":3}')
  })

  test('arguments that are not frozen are read again each time', () => {
    const given = { city: 'Oslo' }
    const call = { type: 'tool-call', id: 'c', name: 'f', arguments: given } as const
    expect(stringifyArguments(call)).toBe('{"city":"Oslo"}')
    given.city = 'Rome'
    expect(stringifyArguments(call)).toBe('{"city":"Rome"}')
    expect(stringifyArguments(toolCall(call))).toBe('{"city":"Rome"}')
  })

  test('[r79] kindOf tells text, calls and results apart', () => {
    expect(messageKind(user('Hi'))).toBe('text')
    expect(messageKind(assistant(['Looking', call]))).toBe('tool-calls')
    expect(messageKind(toolResults(toolResult(call, 'x')))).toBe('tool-results')
    expect(messageKind(toolResults({ type: 'opaque', dialect: 'x', value: 1 }))).toBe('text')
  })
})

describe('state', () => {
  test('[r103, r149] a message is empty when all its parts are and no metadata marks it', () => {
    expect(isEmptyMessage(user(''))).toBe(true)
    expect(isEmptyMessage(user(['', '']))).toBe(true)
    expect(isEmptyMessage(user('', { metadata: { draft: true } }))).toBe(false)
    expect(isEmptyMessage(user(image('https://example.com')))).toBe(false)
    expect(isEmptyPart(reasoning('', { signature: { vendor: 'm', value: 'v' } }))).toBe(false)
    expect(isEmptyContent([])).toBe(true)
    expect(isEmptyContent([text(''), text('x')])).toBe(false)
  })

  test('[r108, r149] content is plain text with at most one part, a text without other fields', () => {
    expect(isPlainText(user([]))).toBe(true)
    expect(isPlainText(user('Hi'))).toBe(true)
    expect(isPlainText(user(['a', 'b']))).toBe(false)
    expect(isPlainText(user(image('https://example.com')))).toBe(false)
    expect(isPlainText(user(text('Hi', { cache: {} })))).toBe(false)
  })

  test('[r152] raw input is parsed to find out if it is plain text or empty', () => {
    expect(isPlainText(parseMessage({ role: 'user', content: ['a', 'b'] }))).toBe(false)
    expect(isEmptyMessage(parseMessage({ role: 'user', content: '' }))).toBe(true)
  })

  test('sameContent compares the content and nothing else', () => {
    const thought = { vendor: 'm', value: 'v' }
    expect(sameContent(user('Hi'), user('Hi', { metadata: { a: 1 } }))).toBe(true)
    expect(sameContent(user('Hi'), user('Ho'))).toBe(false)
    expect(sameContent(user('Hi', { name: 'Ada' }), user('Hi'))).toBe(false)
    expect(sameContent(user(text('Hi', { cache: {}, signature: thought })), user('Hi'))).toBe(true)
    const spaced = toolCall({ id: 'c', name: 'f', arguments: '{"a": 1}' })
    expect(
      sameContent(assistant(spaced), assistant(toolCall({ id: 'c', name: 'f', arguments: { a: 1 } }))),
    ).toBe(true)
  })
})

describe('guards and roles', () => {
  test('[r73, r74, r192, C8] five roles, a few other words for them, and no others', () => {
    expect(ROLES).toEqual(['system', 'developer', 'user', 'assistant', 'tool'])
    expect(['model', 'ai', 'function', 'human'].map((role) => parseRole(role))).toEqual([
      'assistant',
      'assistant',
      'tool',
      'user',
    ])
    expect(() => parseRole('critic')).toThrowError(/"critic"/)
    expect(() => parseRole(4)).toThrowError(/a number/)
  })

  test('[r75, r76] roles compare by ===, and system includes developer', () => {
    expect(ROLES.filter((role) => ['user', 'tool'].includes(role))).toEqual(['user', 'tool'])
    expect(ROLES.filter(isSystemRole)).toEqual(['system', 'developer'])
    expect([isRole('user'), isRole('model'), isRole(null)]).toEqual([true, false, false])
  })

  test('[r77] a list of roles is read from mixed words', () => {
    expect(['user', 'model', null].map((role) => parseRole(role))).toEqual(['user', 'assistant', 'user'])
  })

  test('[r100] an object with a role and content is a message', () => {
    expect(isMessageLike({ role: 'user', content: null })).toBe(true)
    expect(isMessageLike({ role: 'assistant', tool_calls: [] })).toBe(true)
    expect(isMessageLike({ role: 'user', _metadata: {} })).toBe(true)
    expect(isMessageLike({ role: 'user' })).toBe(false)
    expect(isMessageLike({ content: 'x' })).toBe(false)
  })

  test('isMessage and isPart are strict', () => {
    expect(isMessage(JSON.parse(JSON.stringify(user('Hi'))))).toBe(true)
    expect(isMessage({ ...user('Hi'), stray: 1 })).toBe(false)
    expect(isMessage({ role: 'user', content: 'Hi' })).toBe(false)
    expect(isPart({ type: 'text', text: 'x' })).toBe(true)
    expect(isPart({ type: 'text' })).toBe(false)
  })
})

describe('usage and finish', () => {
  test('[r61] usages add up, and what none states stays unstated', () => {
    const usage = { inputTokens: 5, outputTokens: 2, totalTokens: 7 }
    expect(addUsage(usage, { ...usage, cachedInputTokens: 3 })).toEqual({
      inputTokens: 10,
      outputTokens: 4,
      totalTokens: 14,
      cachedInputTokens: 3,
    })
    expect(addUsage()).toEqual({ inputTokens: 0, outputTokens: 0, totalTokens: 0 })
    law(fc.tuple(anyUsage, anyUsage, anyUsage), ([a, b, c]) =>
      expectSame(addUsage(a, addUsage(b, c)), addUsage(addUsage(c, b), a)),
    )
  })

  test('[r60] finish reasons are a closed set, with the provider’s own word beside', () => {
    expect(FINISH_REASONS).toHaveLength(9)
    const said = assistant('x', { finish: { reason: 'stop', raw: 'end_turn' } })
    expect(said.finish).toEqual({ reason: 'stop', raw: 'end_turn' })
    expect(() =>
      parseMessage({ role: 'assistant', content: 'x', finish: { reason: 'end_turn' } }),
    ).toThrowError(/end_turn/)
  })
})
