import { type JsonObject, textOf } from 'interlingua'
import { fromMessages, toMessages } from 'interlingua/formats'
import { pydanticAi } from 'interlingua/formats/pydantic-ai'
import { expect, test } from 'vitest'
import { again, expectSame } from '../../law-assertions.ts'

/** A run with instructions, a failed call, a cache point and signed thinking, in the form of `all_messages_json()`. */
const recorded: readonly JsonObject[] = [
  {
    parts: [
      {
        content: [
          'How warm is it in',
          { kind: 'text-content', content: 'Oslo?', metadata: null },
          { kind: 'cache-point', ttl: '5m' },
          { url: 'https://example.org/a.png', force_download: false, kind: 'image-url' },
        ],
        timestamp: '2026-01-31T12:00:00.123456Z',
        part_kind: 'user-prompt',
      },
    ],
    timestamp: '2026-01-31T12:00:00.123456Z',
    instructions: 'Be brief.',
    kind: 'request',
    run_id: 'r1',
    metadata: null,
  },
  {
    parts: [
      {
        content: 'Look it up.',
        id: null,
        signature: 'xyz',
        provider_name: 'anthropic',
        provider_details: null,
        part_kind: 'thinking',
      },
      {
        tool_name: 'weather',
        args: '{"city": "Oslo"}',
        tool_call_id: 'c1',
        id: null,
        part_kind: 'tool-call',
      },
    ],
    usage: { input_tokens: 10, cache_write_tokens: 0, cache_read_tokens: 4, output_tokens: 2, details: {} },
    model_name: 'claude-sonnet-5',
    timestamp: '2026-01-31T12:00:01Z',
    kind: 'response',
    provider_name: 'anthropic',
    provider_details: null,
    provider_response_id: 'msg_1',
    finish_reason: 'tool_call',
    run_id: 'r1',
  },
  {
    parts: [
      {
        content: [{ type: 'missing', loc: ['unit'], msg: 'Field required', input: {} }],
        tool_name: 'weather',
        tool_call_id: 'c1',
        timestamp: '2026-01-31T12:00:02Z',
        part_kind: 'retry-prompt',
      },
    ],
    timestamp: '2026-01-31T12:00:02Z',
    instructions: 'Be brief.',
    kind: 'request',
    run_id: 'r1',
    metadata: null,
  },
]

test('a run becomes messages, and is restored', () => {
  const { value, losses } = pydanticAi.fromMessages(recorded)
  expect(losses).toEqual([])
  expect(value.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
  const [system, user, answer, tool] = value
  expect(system && textOf(system)).toBe('Be brief.')
  expect(user?.content.map(({ type, cache }) => [type, cache?.ttl])).toEqual([
    ['text', undefined],
    ['text', 'short'],
    ['image', undefined],
  ])
  expect(answer).toMatchObject({
    origin: { provider: 'anthropic', model: 'claude-sonnet-5', responseId: 'msg_1' },
    usage: { inputTokens: 10, cachedInputTokens: 4 },
    finish: { reason: 'tool-calls' },
  })
  expect(answer?.content[0]?.signature).toMatchObject({ vendor: 'anthropic', value: 'xyz' })
  expect(tool?.content[0]).toMatchObject({ type: 'tool-result', isError: true })
  const written = pydanticAi.toMessages(value)
  expectSame(again(written.value), again(recorded))
  expect(written.losses).toEqual([])
})

test('messages between two answers become one request', () => {
  const { value } = fromMessages([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
  ])
  const kinds = toMessages(value, { to: 'pydantic-ai' }).value.map(({ kind, parts }) => [
    kind,
    parts.map(({ part_kind: part }) => part),
  ])
  expect(kinds).toEqual([
    ['request', ['system-prompt', 'user-prompt']],
    ['response', ['text']],
  ])
})

test('data is read and written with the alphabet that pydantic uses', () => {
  const binary = { kind: 'binary', data: '-_-_', media_type: 'image/png' }
  const wire = [{ parts: [{ content: [binary], part_kind: 'user-prompt' }], kind: 'request' }]
  const { value } = pydanticAi.fromMessages(wire)
  expect(value[0]?.content[0]).toMatchObject({ source: { kind: 'base64', data: '+/+/' } })
  expectSame(again(pydanticAi.toMessages(value).value), wire)
})
