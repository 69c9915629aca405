import fc from 'fast-check'
import {
  accumulate,
  assistant,
  type ChatRequest,
  dialects,
  type JsonObject,
  toEvents,
  toolCall,
  toolCallsOf,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { createJsonKeyRewriter } from '../../src/wire/json-key-rewriter.ts'
import { again, expectSame } from '../law-assertions.ts'
import { payloads } from './stream-payloads.ts'
import { encodeStreamText, identity, source } from './stream-responses.ts'

const { anthropic } = dialects

/** The keys that Anthropic accepts, as its error message states them. */
const accepted = /^[a-zA-Z0-9_.-]{1,64}$/

const examples = ['$top', 'filter[id]', 'two words', 'x'.repeat(65), '', 'größe', '__proto__', 'fine_1']

const text = { type: 'string' }

function createRequest(keys: readonly string[]): ChatRequest {
  const properties = Object.fromEntries(keys.map((key) => [key, text]))
  const input = { type: 'object', properties, required: [...keys] }
  return {
    model: 'm',
    maxOutputTokens: 10,
    messages: [user('Hi')],
    tools: [{ type: 'function', name: 'list', input }],
  }
}

/** Returns the input schema of the only tool as it is sent. */
function sendSchema(request: ChatRequest): { readonly properties: JsonObject; readonly required: string[] } {
  const [tool] = (again(anthropic.encodeRequest(request).value) as { tools: { input_schema: never }[] }).tools
  if (tool === undefined) throw new Error('no tool was sent')
  return tool.input_schema
}

/** Creates the answer of a model that calls the tool with the keys that it was sent. */
function createAnswer(wireKeys: readonly string[]): JsonObject {
  const input = Object.fromEntries(wireKeys.map((key) => [key, { $top: key }]))
  const message = assistant(toolCall({ id: 'c', name: 'list', arguments: input }), {
    finish: { reason: 'tool-calls' },
  })
  return again(anthropic.encodeResponse({ id: 'r', model: 'm', candidates: [message] }).value) as JsonObject
}

describe('property keys that Anthropic refuses', () => {
  const keyLists = fc.uniqueArray(
    fc.oneof(fc.constantFrom(...examples), fc.string({ unit: 'binary', maxLength: 80 })),
    { minLength: 1, maxLength: 6 },
  )

  test('are sent as other keys, and calls get the original ones', () => {
    fc.assert(
      fc.property(keyLists, (keys) => {
        const request = createRequest(keys)
        const { properties, required } = sendSchema(request)
        const wireKeys = Object.keys(properties)
        for (const key of wireKeys) expect(key).toMatch(accepted)
        expect(new Set(required)).toEqual(new Set(wireKeys))
        expect(new Set(wireKeys).size).toBe(keys.length)
        const wire = createAnswer(wireKeys)
        const { value } = anthropic.decodeResponse(wire, { request })
        const [call] = value.candidates.flatMap(toolCallsOf)
        expect(new Set(Object.keys(call?.arguments ?? {}))).toEqual(new Set(keys))
        // Nested objects keep their keys.
        for (const item of Object.values(call?.arguments ?? {})) expect(item).toHaveProperty('$top')
        expectSame(anthropic.encodeResponse(value), { value: wire, losses: [] })
      }),
      { numRuns: process.env['SOAK'] ? 2000 : 100 },
    )
  })

  test.each([true, false])('are restored in a stream, exact: %s', async (exact) => {
    const request = createRequest(examples)
    const wireKeys = Object.keys(sendSchema(request).properties)
    const response = anthropic.decodeResponse(createAnswer(wireKeys)).value
    const { text: stream } = await encodeStreamText('anthropic', toEvents(response))
    const events = anthropic.decodeStream(source(stream), { ...identity, request, exact })
    const [call] = (await accumulate(events)).candidates.flatMap(toolCallsOf)
    expect(new Set(Object.keys(call?.arguments ?? {}))).toEqual(new Set(examples))
    if (!exact) return
    const decoded = anthropic.decodeStream(source(stream), { ...identity, request })
    const { text: back, losses } = await encodeStreamText('anthropic', decoded)
    expectSame(payloads(back), payloads(stream))
    expect(losses).toEqual([])
  })

  test('a call of the history has the keys of the sent schema', () => {
    const request = createRequest(examples)
    const input = Object.fromEntries(examples.map((key) => [key, 'v']))
    const messages = [
      user('Hi'),
      assistant(toolCall({ id: 'c', name: 'list', arguments: input })),
      toolResults(toolResult('c', 'ok')),
    ]
    const { value, losses } = anthropic.encodeRequest({ ...request, messages })
    const blocks = value.messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    const call = blocks.find(({ type }) => type === 'tool_use') as { input: object } | undefined
    expect(Object.keys(call?.input ?? {})).toEqual(Object.keys(sendSchema(request).properties))
    expect(losses.map(({ rule, path, severity }) => `${severity} ${rule} ${path}`)).toEqual([
      'note argument-keys /messages/1/content/0/arguments',
      'note property-keys /tools/0/input',
    ])
    // A call that was received with the keys of the sent schema is sent with them again, without a loss.
    const answer = anthropic.decodeResponse(createAnswer(Object.keys(sendSchema(request).properties)), {
      request,
    })
    const resent = anthropic.encodeRequest({
      ...request,
      messages: [user('Hi'), ...answer.value.candidates, toolResults(toolResult('c', 'ok'))],
    })
    expect(resent.losses.map(({ rule }) => rule)).toEqual(['property-keys'])
    expect(JSON.stringify(resent.value.messages)).not.toContain('filter[id]')
  })

  test('a received body with such keys is sent as received', () => {
    const body = {
      model: 'm',
      max_tokens: 5,
      tools: [{ name: 'list', input_schema: { type: 'object', properties: { $top: text } } }],
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'list', input: { $top: 1 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'ok' }] },
      ],
    }
    expectSame(anthropic.encodeRequest(anthropic.decodeRequest(body).value), { value: body, losses: [] })
  })

  test('a key that the tool declares itself is not replaced', () => {
    const [fit = ''] = Object.keys(sendSchema(createRequest(['$top'])).properties)
    const request = createRequest(['$top', fit])
    const [call] = anthropic
      .decodeResponse(createAnswer([fit]), { request })
      .value.candidates.flatMap(toolCallsOf)
    expect(Object.keys(call?.arguments ?? {})).toEqual([fit])
  })

  test('other formats get the original keys', () => {
    for (const name of ['openai-chat', 'openai-responses', 'ollama', 'gemini'] as const)
      expect(JSON.stringify(dialects[name].encodeRequest(createRequest(['$top'])).value)).toContain('"$top"')
  })
})

test('keys of streamed JSON are renamed however the text is split', () => {
  const rename = (key: string): string | undefined => (key.startsWith('a') ? `"${key}"` : undefined)
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string({ maxLength: 4 }).map((key) => `a${key}`),
        fc.jsonValue({ maxDepth: 2 }),
      ),
      fc.dictionary(
        fc.string({ maxLength: 4 }).map((key) => `b${key}`),
        fc.jsonValue({ maxDepth: 2 }),
      ),
      fc.constantFrom(undefined, 1),
      fc.integer({ min: 1, max: 5 }),
      (renamed, kept, indent, size) => {
        const value = { ...kept, nested: [renamed, { a: { a: 1 } }], ...renamed }
        const written = JSON.stringify(value, null, indent)
        const rewriter = createJsonKeyRewriter(rename)
        let result = ''
        for (let at = 0; at < written.length; at += size)
          result += rewriter.push(written.slice(at, at + size))
        expect(rewriter.end()).toBe('')
        const expected = Object.entries(value).map(([key, item]) => [rename(key) ?? key, item])
        expect(JSON.parse(result)).toEqual(again(Object.fromEntries(expected)))
        const cut = createJsonKeyRewriter(() => undefined)
        const half = written.slice(0, Math.floor(written.length / 2))
        expect(cut.push(half) + cut.end()).toBe(half)
      },
    ),
  )
})
