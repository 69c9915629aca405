import {
  assistant,
  type ChatRequest,
  type Dialect,
  type JsonObject,
  type Message,
  repair,
  system,
  toolCall,
  toolResult,
  toolResults,
  user,
  validate,
} from 'interlingua'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyRequest } from '../arbitraries.ts'
import { law } from '../law-assertions.ts'
import { pairs, subjects } from './dialect-table.ts'
import { bare, leavesOf } from './json-leaves.ts'
import { shareOf } from './pair-shares.ts'

const tool = { type: 'function', name: 'weather', input: { type: 'object', properties: {} } } as const

/** Returns the elements of a request's list of messages. */
function listed(dialect: Dialect<JsonObject, JsonObject>, messages: readonly Message[]): readonly unknown[] {
  const { value } = dialect.encodeRequest({ model: 'm', maxOutputTokens: 9, messages })
  const lists = Object.values(value).filter(Array.isArray)
  return lists.at(-1) ?? []
}

describe.each(subjects)('[r31] $name, single messages and tools', ({ dialect, valid }) => {
  test('a message is encoded as in the list of a request', () => {
    const call = toolCall({ name: 'weather', arguments: { city: 'Oslo' } })
    const turns = [user('Hi'), assistant([call]), toolResults([toolResult(call, 'Snow')])]
    const pieces = turns.flatMap((message) => dialect.encodeMessage(message).value)
    const whole = listed(dialect, turns)
    expect(leavesOf(pieces).map(({ value }) => value)).toEqual(leavesOf(whole).map(({ value }) => value))
  })

  test('an empty message is omitted, and the paths of losses are relative to the message', () => {
    const { value, losses } = dialect.encodeMessage({ id: 'msg_1', role: 'user', content: [] })
    expect(value).toEqual([])
    expect(losses.map(({ path, rule }) => [path, rule])).toEqual([['', 'empty-message']])
  })

  test('system text in the middle of a conversation stays in its position', () => {
    expect(JSON.stringify(dialect.encodeMessage(system('Be brief')).value)).toContain('Be brief')
  })

  test('tools are encoded as in a request', () => {
    const request: ChatRequest = { model: 'm', maxOutputTokens: 9, messages: [user('Hi')], tools: [tool] }
    const { tools, toolConfig } = dialect.encodeRequest(request).value
    const inRequest = tools ?? (toolConfig as JsonObject | undefined)?.['tools']
    expect(dialect.encodeTools([tool]).value).toEqual(inRequest)
    const foreign = { type: 'provider', provider: 'unknown', name: 'x', options: {} } as const
    const { value, losses } = dialect.encodeTools([foreign])
    expect(value).toEqual([])
    expect(losses.map(({ path, rule }) => [path, rule])).toEqual([['/0', 'foreign-tool']])
  })

  test.each(valid.response)('usage of $name', ({ body }) => {
    const counts = body['usage'] ?? body['usageMetadata'] ?? body
    expect(dialect.decodeUsage(counts)).toEqual(dialect.decodeResponse(body).value.usage)
  })

  test.each(valid.response)('finish reason of $name', ({ body }) => {
    const listedIn = body['choices'] ?? body['candidates']
    const finishSources = Array.isArray(listedIn) ? (listedIn as readonly unknown[]) : [body]
    const whole = dialect.decodeResponse(body).value.candidates.map(({ finish }) => finish)
    expect(finishSources.map((each) => dialect.decodeFinish(each))).toEqual(whole)
  })

  test('an empty value results in undefined', () => {
    for (const wire of [undefined, null, 5, 'x', [], {}]) {
      expect(dialect.decodeUsage(wire)).toBeUndefined()
      expect(dialect.decodeFinish(wire)).toBeUndefined()
    }
  })
})

describe.each(subjects)('the rules of $name', ({ dialect }) => {
  test('have names and a summary', () => {
    expect(new Set(dialect.rules.map(({ id }) => id)).size).toBe(dialect.rules.length)
    for (const { summary } of dialect.rules) expect(summary).toMatch(/^[A-Z].*\.$/)
  })

  test('are met by every repaired conversation, and repairs are stable', () => {
    law(anyRequest, ({ messages }) => {
      const mended = repair([...messages], dialect)
      expect(validate(mended, dialect).filter(({ severity }) => severity === 'error')).toEqual([])
      expect(repair(mended, dialect)).toBe(mended)
    })
  })

  test('are met by every encoded conversation', () => {
    law(anyRequest, (request) => {
      const { value } = dialect.encodeRequest({ ...bare(request), model: 'm' })
      const again = dialect.decodeRequest(value).value
      expect(validate(again.messages, dialect).filter(({ severity }) => severity === 'error')).toEqual([])
    })
  })

  test('call ids are made valid, two ids stay different, and results have the same id', () => {
    const id = fc.oneof(
      fc.string({ minLength: 1, maxLength: 500 }),
      fc.constantFrom('functions.a:0', 'functions_a:0', 'call|blob', 'x'.repeat(43), 'x'.repeat(44)),
    )
    law(fc.uniqueArray(id, { minLength: 1, maxLength: 4 }), (ids) => {
      const calls = ids.map((each) => toolCall({ id: each, name: 'weather', arguments: {} }))
      const results = toolResults(calls.map((call) => toolResult(call, 'Done')))
      const { value } = dialect.encodeRequest({
        model: 'm',
        messages: [user('Go'), assistant(calls), results],
      })
      const again = [...dialect.decodeRequest(value).value.messages]
      const called = again.flatMap((message) => (message.role === 'assistant' ? message.content : []))
      const sent = called.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []))
      expect(new Set(sent).size).toBe(ids.length)
      const answered = again.flatMap((message) => (message.role === 'tool' ? message.content : []))
      expect(answered.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : []))).toEqual(sent)
      expect(validate(again, dialect)).toEqual([])
    })
  })
})

describe.each(pairs)('recorded requests from $name', (pair) => {
  const { from, to } = pair

  test.skipIf(from.recordings.request.length === 0)('meet the rules of the target', () => {
    const found = shareOf(pair, from.recordings.request).flatMap(({ name, body }) => {
      const { value } = from.dialect.decodeRequest(body)
      const wire = to.dialect.encodeRequest({ ...value, model: 'm' }).value
      const again = to.dialect.decodeRequest(wire).value
      return validate(again.messages, to.dialect)
        .filter(({ severity }) => severity === 'error')
        .map(({ rule, path }) => `${name} ${rule} ${path}`)
    })
    expect(found.slice(0, 20)).toEqual([])
  })
})
