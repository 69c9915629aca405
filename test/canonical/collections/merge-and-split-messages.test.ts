import {
  assistant,
  image,
  type Message,
  Messages,
  system,
  text,
  textOf,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { parseMessages } from 'interlingua/parse'
import { describe, expect, test } from 'vitest'

const createdAt = '2026-01-02T03:04:05.000Z'
const said = (messages: Iterable<Message>): string[] =>
  Array.from(
    messages,
    ({ id, role, content }) => `${id} ${role}: ${content.map((part) => textOf(part)).join('|')}`,
  )
const result = (call: string): ReturnType<typeof toolResult> => toolResult(call, `result of ${call}`)

describe('mergeConsecutive', () => {
  test('[r145] makes one message of neighbours of one role', () => {
    const messages = Messages.of(
      user('a', { id: 'u1' }),
      user('b', { id: 'u2' }),
      assistant('c', { id: 'a1' }),
      user('d', { id: 'u3' }),
    )
    expect(said(messages.mergeConsecutive())).toEqual(['u1 user: a|b', 'a1 assistant: c', 'u3 user: d'])
    expect(said(messages)).toEqual(['u1 user: a', 'u2 user: b', 'a1 assistant: c', 'u3 user: d'])
  })

  test('[r145] keeps system and developer apart, and what is alone as it is', () => {
    const messages = Messages.of(system('a', { id: '1' }))
      .developer('b', { id: '2' })
      .system('c', { id: '3' })
    expect(messages.mergeConsecutive()).toBe(messages)
  })

  test('[C14] merged messages keep their parts apart, and their text joins without a separator', () => {
    const [merged] = Messages.of('Hello', user(['wor', 'ld'])).mergeConsecutive()
    expect(merged?.content).toEqual([text('Hello'), text('wor'), text('ld')])
    expect(textOf(merged ?? [])).toBe('Helloworld')
  })

  test('[C12] keeps the first id and time, and lets later metadata win', () => {
    const later = '2026-02-02T00:00:00.000Z'
    const [merged] = Messages.of(
      user('a', { id: 'u1', createdAt, metadata: { from: 'first', kept: true } }),
      user('b', { id: 'u2', createdAt: later, metadata: { from: 'second', more: 1 } }),
    ).mergeConsecutive()
    expect(merged).toEqual({
      id: 'u1',
      createdAt,
      role: 'user',
      content: [text('a'), text('b')],
      metadata: { from: 'second', kept: true, more: 1 },
    })
  })

  test('[r145] keeps metadata whatever its keys are called', () => {
    const metadata: unknown = JSON.parse('{"__proto__":{"seen":true},"note":1}')
    const [first, second] = parseMessages([
      { id: 'u1', role: 'user', content: 'a', metadata },
      { id: 'u2', role: 'user', content: 'b', metadata: { more: 2 } },
    ])
    const merged = Messages.from([first, second].filter((each) => each !== undefined)).mergeConsecutive()
    expect(JSON.stringify(merged.first()?.metadata)).toBe('{"__proto__":{"seen":true},"note":1,"more":2}')
  })

  test('[r145] adds up usage and keeps the calls of answers in order', () => {
    const calls = ['c1', 'c2'].map((id) => toolCall({ id, name: 'look' }))
    const usage = { inputTokens: 5, outputTokens: 2, totalTokens: 7 }
    const [merged] = Messages.of(
      assistant(calls.slice(0, 1), { id: 'a1', createdAt, usage: { ...usage, reasoningTokens: 1 } }),
      assistant('and', { id: 'a2' }),
      assistant(calls.slice(1), { id: 'a3', usage, finish: { reason: 'tool-calls' } }),
    ).mergeConsecutive()
    expect(merged).toEqual({
      id: 'a1',
      createdAt,
      role: 'assistant',
      content: [calls[0], text('and'), calls[1]],
      usage: { inputTokens: 10, outputTokens: 4, totalTokens: 14, reasoningTokens: 1 },
      finish: { reason: 'tool-calls' },
    })
  })

  test('[r145] ends as the last answer that says how it ended', () => {
    const merged = Messages.of(
      assistant('a', { finish: { reason: 'stop' } }),
      assistant('b', { finish: { reason: 'length' } }),
      assistant('c'),
    ).mergeConsecutive()
    expect(merged.first()).toMatchObject({ finish: { reason: 'length' } })
  })

  test('[C12] never merges tool results', () => {
    const messages = Messages.of(
      toolResults(result('c1'), { id: 't1' }),
      toolResults(result('c2'), { id: 't2' }),
    )
    expect(messages.mergeConsecutive()).toBe(messages)
  })
})

describe('rounds of tool results', () => {
  const round = toolResults(
    ['c1', 'c2', 'c3'].map((id) => result(id)),
    { id: 'r', createdAt, metadata: { turn: 1 } },
  )

  test('[C1] one round is one tool message with a part per call', () => {
    const messages = Messages.of(
      assistant(['c1', 'c2'].map((id) => toolCall({ id, name: 'look' }))),
    ).toolResults([result('c1'), result('c2')])
    expect(messages.size).toBe(2)
    expect(messages.last()).toMatchObject({
      role: 'tool',
      content: [
        { type: 'tool-result', callId: 'c1', content: [{ type: 'text', text: 'result of c1' }] },
        { type: 'tool-result', callId: 'c2', content: [{ type: 'text', text: 'result of c2' }] },
      ],
    })
  })

  test('[C1] one message per result is read too, and joined to one round', () => {
    const read = Messages.from(
      parseMessages([
        { id: 't1', role: 'tool', tool_call_id: 'c1', content: 'one' },
        { id: 't2', role: 'tool', tool_call_id: 'c2', content: 'two' },
        { id: 'a', role: 'assistant', content: 'And now:' },
        { id: 't3', role: 'tool', tool_call_id: 'c3', content: 'three' },
      ]),
    )
    expect(read.size).toBe(4)
    const joined = read.joinToolResults()
    expect(said(joined)).toEqual(['t1 tool: one|two', 'a assistant: And now:', 't3 tool: three'])
    expect(joined.first()).toEqual({
      id: 't1',
      role: 'tool',
      content: [toolResult('c1', 'one'), toolResult('c2', 'two')],
    })
    expect(joined.at(1)).toBe(read.at(2))
  })

  test('[C1] joining leaves neighbours of other roles alone', () => {
    const messages = Messages.of('a', 'b', assistant('c'), assistant('d'))
    expect(messages.joinToolResults()).toBe(messages)
  })

  test('[C1] a round is split into a message per result, and joined again', () => {
    const messages = Messages.of(user(['See', image('https://example.com/cat.png')], { id: 'u' }), round)
    const split = messages.splitToolResults()
    expect(said(split)).toEqual([
      'u user: See|',
      'r tool: result of c1',
      'r_2 tool: result of c2',
      'r_3 tool: result of c3',
    ])
    expect(split.at(2)).toEqual({
      id: 'r_2',
      createdAt,
      role: 'tool',
      content: [result('c2')],
      metadata: { turn: 1 },
    })
    expect(split.first()).toBe(messages.first())
    expect(split.joinToolResults().toArray()).toEqual(messages.toArray())
  })

  test('splitting a round that has no time gives it none', () => {
    const messages = Messages.from(
      parseMessages([{ id: 'r', role: 'tool', content: [result('c1'), result('c2')] }]),
    )
    expect(messages.splitToolResults().toArray()).toEqual([
      { id: 'r', role: 'tool', content: [result('c1')] },
      { id: 'r_2', role: 'tool', content: [result('c2')] },
    ])
  })
})

describe('withPartField', () => {
  const lastOf = (messages: Messages): unknown => messages.last()?.content

  test('[r107] puts a field on the last part of the last message', () => {
    const messages = Messages.of('first', user(['a', 'b'])).withPartField('cache', { ttl: 'short' })
    expect(lastOf(messages)).toEqual([text('a'), { type: 'text', text: 'b', cache: { ttl: 'short' } }])
    expect(messages.first()?.content).toEqual([text('first')])
  })

  test('[r107] makes an empty text part where there is no part', () => {
    const messages = Messages.of(user([], { id: 'u', createdAt })).withPartField('cache', { ttl: 'long' })
    expect(messages.toArray()).toEqual([
      { id: 'u', createdAt, role: 'user', content: [{ type: 'text', text: '', cache: { ttl: 'long' } }] },
    ])
  })

  test('[r107] leaves an empty conversation as it is', () => {
    const nothing = Messages.of()
    expect(nothing.withPartField('cache', {})).toBe(nothing)
  })

  test('[C30] what is no canonical field of the part goes to extra', () => {
    const messages = Messages.of('a').withPartField('x_flag', true).withPartField('x_more', { deep: null })
    expect(lastOf(messages)).toEqual([
      { type: 'text', text: 'a', extra: { unknown: { x_flag: true, x_more: { deep: null } } } },
    ])
  })

  test('[C30] cache_control becomes the canonical cache', () => {
    const messages = Messages.of('a').withPartField('cache_control', { type: 'ephemeral', ttl: '1h' })
    expect(lastOf(messages)).toEqual([{ type: 'text', text: 'a', cache: { ttl: 'long' } }])
  })

  test('[C30] cache_control replaces the cache that was there', () => {
    const messages = Messages.of('a')
      .withPartField('cache', { ttl: 'short' })
      .withPartField('cache_control', { type: 'ephemeral', ttl: '1h' })
    expect(lastOf(messages)).toEqual([{ type: 'text', text: 'a', cache: { ttl: 'long' } }])
  })
})
