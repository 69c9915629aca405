import { dialects, type JsonObject, type ToolCallPart, toolCallsOf, translateStream } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { subjects } from '../dialect-table.ts'
import { payloads } from '../stream-payloads.ts'
import { answerOf, collect, encodeStreamText, framed, source, toStreamText } from '../stream-responses.ts'

const { 'openai-chat': chat } = dialects

const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

const fragment = (fields: JsonObject): JsonObject => chunk({ tool_calls: [fields] })

/** Fragments of a call, with its id in each possible place. */
const fragmentsByPlace: { readonly [place: string]: readonly JsonObject[] } = {
  'with the arguments': [
    fragment({ index: 0, function: { name: 'f', arguments: '' } }),
    fragment({ index: 0, id: 'call_1', function: { arguments: '{"a":' } }),
    fragment({ index: 0, function: { arguments: '1}' } }),
  ],
  'after an empty id': [
    fragment({ index: 0, id: '', function: { name: 'f', arguments: '{"a"' } }),
    fragment({ index: 0, id: 'call_1', function: { arguments: ':1}' } }),
  ],
  'after the arguments': [
    fragment({ index: 0, function: { name: 'f', arguments: '{"a":1}' } }),
    fragment({ index: 0, id: 'call_1' }),
  ],
  'after a text that follows the call': [
    fragment({ index: 0, function: { name: 'f', arguments: '{"a":1}' } }),
    chunk({ content: 'Wait' }),
    fragment({ index: 0, id: 'call_1' }),
  ],
  'without an index': [
    fragment({ function: { name: 'f', arguments: '{"a":' } }),
    fragment({ id: 'call_1', function: { arguments: '1}' } }),
  ],
}

const streams = Object.entries(fragmentsByPlace).map(
  ([place, fragments]) => [place, framed('openai-chat', [...fragments, chunk({}, 'tool_calls')])] as const,
)

const others = subjects.filter(({ name }) => name !== 'openai-chat')

/** Returns the call of a stream in another format, and whether a late correction of it was reported. */
async function translateCall(
  text: string,
  { name: to, dialect }: (typeof others)[number],
): Promise<{ readonly call: ToolCallPart | undefined; readonly isReported: boolean }> {
  const { body, losses } = translateStream(source(text), { from: 'openai-chat', to })
  const sent = toStreamText(to, await collect(body))
  const { candidates } = await answerOf(dialect.decodeStream(source(sent)))
  const [call] = candidates.flatMap((message) => toolCallsOf(message))
  return { call, isReported: (await losses).some(({ rule }) => rule === 'late-correction') }
}

describe('the id of a call that arrives late', () => {
  test.each(streams)('%s replaces the provisional one', async (_place, text) => {
    const { candidates } = await answerOf(chat.decodeStream(source(text)))
    const calls = candidates.flatMap((message) => toolCallsOf(message))
    expect(calls).toMatchObject([{ id: 'call_1', name: 'f', arguments: { a: 1 } }])
  })

  test.each(streams)('%s is sent back as received', async (_place, text) => {
    const events = await collect(chat.decodeStream(source(text)))
    const { text: again, losses } = await encodeStreamText('openai-chat', events)
    expect(payloads(again)).toEqual(payloads(text))
    expect(losses).toEqual([])
  })

  test.each(streams)('%s is sent in other formats, or its loss is reported', async (_place, text) => {
    for (const to of others) {
      const { call, isReported } = await translateCall(text, to)
      expect(call).toMatchObject({ name: 'f', arguments: { a: 1 } })
      expect([to.name, call?.id === 'call_1' || isReported]).toEqual([to.name, true])
    }
  })

  test('a second id at the same index opens another call', async () => {
    const fragments = [
      ...(fragmentsByPlace['with the arguments'] ?? []),
      fragment({ index: 0, id: 'call_2', function: { name: 'g', arguments: '{}' } }),
      chunk({}, 'tool_calls'),
    ]
    const { candidates } = await answerOf(chat.decodeStream(source(framed('openai-chat', fragments))))
    const calls = candidates.flatMap((message) => toolCallsOf(message))
    expect(calls.map(({ id, name }) => [id, name])).toEqual([
      ['call_1', 'f'],
      ['call_2', 'g'],
    ])
  })
})

/** Fragments of a call whose name is not in the first one: vercel/ai#14722, vercel/ai#16507. */
const namesByPlace: { readonly [place: string]: readonly JsonObject[] } = {
  'before the arguments': [
    fragment({ index: 0, id: 'call_1', type: 'function', function: { name: '', arguments: '' } }),
    fragment({ index: 0, function: { name: 'f' } }),
    fragment({ index: 0, function: { arguments: '{"a":1}' } }),
  ],
  'between the arguments': [
    fragment({ index: 0, id: 'call_1', function: { arguments: '{"a"' } }),
    fragment({ index: 0, function: { name: 'f', arguments: ':1}' } }),
  ],
  'after the arguments': [
    fragment({ index: 0, function: { arguments: '{"a":1}' } }),
    fragment({ index: 0, id: 'call_1', function: { name: 'f' } }),
  ],
  'after a text that follows the call': [
    fragment({ index: 0, id: 'call_1', function: { arguments: '{"a":1}' } }),
    chunk({ content: 'Wait' }),
    fragment({ index: 0, id: 'call_1', function: { name: 'f' } }),
  ],
  'without an index': [
    fragment({ id: 'call_1', function: { arguments: '{"a":' } }),
    fragment({ function: { name: 'f', arguments: '1}' } }),
  ],
  'in each fragment': [
    fragment({ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a"' } }),
    fragment({ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: ':1}' } }),
  ],
}

describe('the name of a call that arrives late', () => {
  const named = Object.entries(namesByPlace).map(
    ([place, fragments]) => [place, framed('openai-chat', [...fragments, chunk({}, 'tool_calls')])] as const,
  )

  test.each(named)('%s is sent in every format without a loss', async (_place, text) => {
    for (const { name: to, dialect } of subjects) {
      const { body, losses } = translateStream(source(text), { from: 'openai-chat', to })
      const sent = toStreamText(to, await collect(body))
      const { candidates } = await answerOf(dialect.decodeStream(source(sent)))
      const calls = candidates.flatMap((message) => toolCallsOf(message))
      expect(calls).toMatchObject([{ name: 'f', arguments: { a: 1 } }])
      expect((await losses).filter(({ severity }) => severity === 'loss')).toEqual([])
    }
  })

  test.each(named)('%s is sent back as received', async (_place, text) => {
    const events = await collect(chat.decodeStream(source(text)))
    const { text: again, losses } = await encodeStreamText('openai-chat', events)
    expect(payloads(again)).toEqual(payloads(text))
    expect(losses).toEqual([])
  })

  test('does not lift the limit of arguments', async () => {
    const nameless = fragment({ index: 0, id: 'call_1', function: { arguments: '{"a":1' } })
    const text = framed('openai-chat', [nameless, nameless, nameless])
    const events = await collect(chat.decodeStream(source(text), { limits: { maxArgumentsChars: 16 } }))
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'arguments-too-large' } })
  })

  test('or never: the call is sent as `unknown`', async () => {
    const fragments = [fragment({ index: 0, id: 'call_1', function: { arguments: '{"a":1}' } })]
    const text = framed('openai-chat', [...fragments, chunk({}, 'tool_calls')])
    const { candidates } = await answerOf(chat.decodeStream(source(text)))
    expect(candidates).toMatchObject([{ finish: { reason: 'tool-calls' } }])
    expect(candidates.flatMap((message) => toolCallsOf(message))).toMatchObject([
      { id: 'call_1', name: 'unknown', arguments: { a: 1 } },
    ])
  })
})

/** The names of a call in its fragments. The last fragment has the arguments. */
const namesByForm: { readonly [form: string]: readonly (string | null)[] } = {
  'in pieces': ['edit_ex', 'isting', '_file'],
  'in pieces around an empty one': ['edit_', '', 'existing_file', null],
  'in pieces that are equal to its end': ['edit_existing_f', 'ile'],
  'in each fragment': ['edit_existing_file', 'edit_existing_file', 'edit_existing_file'],
  'as far as it has arrived': ['edit_', 'edit_existing', 'edit_existing_file'],
}

const named = Object.entries(namesByForm).map(([form, names]) => {
  const fragments = names.map((name, index) =>
    fragment({
      index: 0,
      ...(index === 0 && { id: 'call_1', type: 'function' }),
      function: { name, arguments: index === names.length - 1 ? '{"a":1}' : '' },
    }),
  )
  return [form, framed('openai-chat', [...fragments, chunk({}, 'tool_calls')])] as const
})

describe('the name of a call that is sent several times', () => {
  test.each(named)('%s is complete', async (_form, text) => {
    const { candidates } = await answerOf(chat.decodeStream(source(text)))
    const calls = candidates.flatMap((message) => toolCallsOf(message))
    expect(calls).toMatchObject([{ id: 'call_1', name: 'edit_existing_file', arguments: { a: 1 } }])
  })

  test.each(named)('%s is sent back as received', async (_form, text) => {
    const { text: again, losses } = await encodeStreamText(
      'openai-chat',
      await collect(chat.decodeStream(source(text))),
    )
    expect(payloads(again)).toEqual(payloads(text))
    expect(losses).toEqual([])
  })

  test.each(named)('%s is complete in other formats, or its loss is reported', async (_form, text) => {
    for (const to of others) {
      const { call, isReported } = await translateCall(text, to)
      expect(call?.arguments).toEqual({ a: 1 })
      if (!isReported) expect(call?.name).toBe('edit_existing_file')
    }
  })

  test('a name in pieces becomes that of the tool of the request', async () => {
    const name = `tool_${'x'.repeat(70)}`
    const tool = { type: 'function', name, input: { type: 'object' } } as const
    const request = { model: 'm', messages: [], tools: [tool] }
    const [declared] = (chat.encodeRequest(request).value.tools ?? []) as { function: { name: string } }[]
    const sent = declared?.function.name ?? ''
    const fragments = [sent.slice(0, 20), sent.slice(20)].map((piece) =>
      fragment({ index: 0, id: 'call_1', function: { name: piece, arguments: '' } }),
    )
    const text = framed('openai-chat', [...fragments, chunk({}, 'tool_calls')])
    const { candidates } = await answerOf(chat.decodeStream(source(text), { request }))
    expect(candidates.flatMap((message) => toolCallsOf(message))).toMatchObject([{ name }])
  })
})
