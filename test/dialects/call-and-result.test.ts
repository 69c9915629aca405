import {
  assistant,
  type ChatRequest,
  dialects,
  type Flavor,
  type Json,
  type JsonObject,
  type Message,
  toolCall,
  type ToolCallPart,
  toolCallsOf,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { flavors } from '../../src/dialects/openai-chat/flavors.ts'
import { isObject } from '../../src/wire/json.ts'
import { RUNS } from '../arbitraries.ts'
import { law } from '../law-assertions.ts'
import { subjects } from './dialect-table.ts'

/** Ids as hosts issue them: the usual form, foreign characters (Kimi K2), too long, other alphabets. */
const anyId = fc.oneof(
  fc.constantFrom('functions.weather:0', 'call_1', 'a b', 'toolu_01', 'é', 'x'.repeat(300), '9charsABC'),
  fc.string({ minLength: 1, maxLength: 80 }),
)

const hosts: readonly (Flavor | undefined)[] = [
  undefined,
  ...(Object.keys(flavors) as Flavor[]),
  'vertex',
  'bedrock',
]

/** Returns the ids of calls and of results in a body, in order. */
function idsIn(value: Json | undefined): {
  readonly calls: readonly unknown[]
  readonly results: readonly unknown[]
} {
  const calls: unknown[] = []
  const results: unknown[] = []
  const visit = (each: Json | undefined): void => {
    if (Array.isArray(each)) each.forEach(visit)
    if (!isObject(each)) return
    if (each['type'] === 'tool_use') calls.push(each['id'])
    else if (each['type'] === 'tool_result') results.push(each['tool_use_id'])
    else if (each['type'] === 'function_call') calls.push(each['call_id'] ?? each['id'])
    else if (each['type'] === 'function_result') results.push(each['call_id'])
    else if (each['type'] === 'function_call_output') results.push(each['call_id'])
    else if (isObject(each['functionCall'])) calls.push(each['functionCall']['id'])
    else if (isObject(each['functionResponse'])) results.push(each['functionResponse']['id'])
    else if (isObject(each['toolUse'])) calls.push(each['toolUse']['toolUseId'])
    else if (isObject(each['toolResult'])) results.push(each['toolResult']['toolUseId'])
    else if (each['role'] === 'tool') results.push(each['tool_call_id'])
    if (each['role'] === 'assistant' && Array.isArray(each['tool_calls']))
      for (const call of each['tool_calls']) calls.push(isObject(call) && call['id'])
    Object.values(each).forEach((item) => visit(item))
  }
  visit(value)
  return { calls, results }
}

const request = (...messages: readonly Message[]): ChatRequest => ({
  model: 'm',
  maxOutputTokens: 100,
  messages: [user('Hi'), ...messages],
})

const weather = (id: string): ToolCallPart => toolCall({ id, name: 'weather', arguments: {} })

/** Answers the calls: by results that the application built. */
const answers = (calls: readonly ToolCallPart[]): Message =>
  toolResults(calls.map((call) => toolResult(call, `of ${call.id}`)))

/** Returns a body as a host sends it, with ids of any form. */
function withIds(body: unknown, ids: { readonly [placeholder: string]: string }): JsonObject {
  const replace = (text: string, [placeholder, id]: readonly [string, string]): string =>
    text.replaceAll(placeholder, () => JSON.stringify(id).slice(1, -1))
  return JSON.parse(Object.entries(ids).reduce(replace, JSON.stringify(body))) as JsonObject
}

describe.each(subjects)('$name: a call and its result stay together', ({ name }) => {
  const dialect = dialects[name]

  test('have the same id on the wire, whichever of them was decoded', () => {
    law(
      fc.tuple(anyId, anyId, fc.constantFrom(...hosts), fc.constantFrom('call', 'result', 'both', 'none')),
      ([first, second, flavor, decoded]) => {
        const calls = first === second ? [weather(first)] : [weather(first), weather(second)]
        const sample = [weather('FIRST'), weather('SECOND')].slice(0, calls.length)
        const wire = withIds(dialect.encodeRequest(request(assistant(sample), answers(sample))).value, {
          FIRST: first,
          SECOND: second,
        })
        const [, call, result] = [...dialect.decodeRequest(wire).value.messages]
        const known = call === undefined ? calls : toolCallsOf(call)
        const messages = {
          none: [assistant(calls), answers(calls)],
          call: [call, answers(known)],
          result: [assistant(known), result],
          both: [call, result],
        }[decoded]
        const sent = dialect.encodeRequest(request(...(messages as Message[])), {
          ...(flavor !== undefined && { flavor }),
        })
        const { calls: sentCalls, results } = idsIn(sent.value)
        if (name === 'ollama' || results.every((id) => id === undefined)) return
        expect(results).toEqual(sentCalls)
      },
      // Most hosts are flavors of openai-chat.
      name === 'openai-chat' ? 6 * RUNS : 2 * RUNS,
    )
  })

  test('an id that the host issued goes back unchanged, on the call and on a result of the application', () => {
    const id = 'functions.weather:0'
    const sample = dialect.encodeResponse({ model: 'm', candidates: [assistant(weather('FIRST'))] }).value
    const [issued] = dialect.decodeResponse(withIds(sample, { FIRST: id })).value.candidates
    const [call] = issued === undefined ? [] : toolCallsOf(issued)
    if (issued === undefined || call?.id !== id) return
    const open = dialect.encodeRequest(request(issued)).value as JsonObject
    const answered = dialect.encodeRequest(request(issued, answers([call]))).value as JsonObject
    for (const body of [open, answered]) {
      const { calls, results } = idsIn(body)
      if (calls[0] === undefined) continue
      expect(calls).toEqual([id])
      if (name !== 'ollama') expect(results).toEqual([id])
    }
  })

  test('results in another order than their calls reach them, also in several messages', () => {
    // Every provider accepts these ids, Mistral (nine letters and digits) included.
    const calls = ['callaaaaa', 'callbbbbb', 'callccccc'].map((id) => weather(id))
    const results = calls.map((call) => toolResult(call, `of ${call.id}`))
    const moved = [...results.slice(2), ...results.slice(0, 2)]
    const inOrder = dialect.encodeRequest(request(assistant(calls), toolResults(results), user('So?')))
    expect(inOrder.losses.some(({ rule }) => rule === 'results-reordered')).toBe(false)
    const rounds = [[toolResults(moved)], moved.map((result) => toolResults(result))]
    for (const round of rounds) {
      const sent = dialect.encodeRequest(request(assistant(calls), ...round, user('So?')), {
        ...(name === 'gemini' && { flavor: 'vertex' }),
      })
      const texts = [...JSON.stringify(sent.value).matchAll(/of call.{5}/g)].map(([text]) => text)
      const { calls: sentCalls, results: sentResults } = idsIn(sent.value)
      const isByOrder = name === 'gemini' || name === 'ollama'
      if (isByOrder) expect(texts).toEqual(calls.map(({ id }) => `of ${id}`))
      else expect(texts.map((text) => text.slice(3))).toEqual(sentResults)
      expect(sent.losses.some(({ rule }) => rule === 'results-reordered')).toBe(isByOrder)
      expect(sentCalls).toHaveLength(3)
    }
  })
})
