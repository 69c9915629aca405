import { detect, type Json, type JsonObject, repair, validate } from 'interlingua'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Subject, subjects } from './dialect-table.ts'
import { fillings, inflate, listSlots } from './inflate-bodies.ts'

const SIZE = process.env['SOAK'] ? 2000 : 700
const GROWTH = 4

/**
 * The highest growth of the time for four times the size. Bounded work has an exponent of at most 1.2, and garbage
 * collection adds to it; quadratic work has the exponent 2.
 */
const LIMIT = GROWTH ** 1.6

/** Shorter times say nothing about the growth. */
const MIN_MS = 25

/** Returns the processor time of a function: other programs of the machine do not count. */
function measure(run: () => unknown): number {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** Returns the growth of the time, the lowest of several measurements. */
function measureGrowth(run: (size: number) => () => unknown): number {
  const small = run(SIZE)
  const large = run(SIZE * GROWTH)
  let [best, fastest] = [Infinity, Infinity]
  for (let round = 0; round < 6; round += 1) {
    fastest = Math.min(fastest, measure(small))
    best = Math.min(best, measure(large))
    if (best < MIN_MS || best / fastest < LIMIT) break
  }
  return best < MIN_MS ? 1 : best / fastest
}

/** Bodies with so many elements are refused by default. */
const unlimited = {
  limits: {
    maxCandidates: Infinity,
    maxParts: Infinity,
    maxToolCalls: Infinity,
    maxCitations: Infinity,
    maxTools: Infinity,
  },
}

/** Everything that a program does with a body. */
function measureBody(
  { dialect }: Subject,
  direction: 'request' | 'response',
  build: (size: number) => JsonObject,
): { readonly [operation: string]: number } {
  const isRequest = direction === 'request'
  const decode = (body: JsonObject) =>
    isRequest ? dialect.decodeRequest(body, unlimited) : dialect.decodeResponse(body, unlimited)
  const encode = (value: never) => (isRequest ? dialect.encodeRequest(value) : dialect.encodeResponse(value))
  const decodedMessages = (size: number) => [...dialect.decodeRequest(build(size), unlimited).value.messages]
  const withBody = (run: (body: JsonObject) => unknown) => (size: number) => {
    const body = build(size)
    return () => run(body)
  }
  return {
    decode: measureGrowth(withBody(decode)),
    encode: measureGrowth((size) => {
      const { value } = decode(build(size))
      return () => encode(value as never)
    }),
    detect: measureGrowth(withBody(detect)),
    ...(isRequest && {
      validate: measureGrowth((size) => {
        const messages = decodedMessages(size)
        return () => validate(messages)
      }),
      repair: measureGrowth((size) => {
        const messages = decodedMessages(size)
        return () => repair(messages)
      }),
    }),
  }
}

const listSlow = (growth: { readonly [operation: string]: number }): readonly string[] =>
  Object.entries(growth).flatMap(([name, factor]) =>
    factor < LIMIT ? [] : [`${name}: ${GROWTH} times the size takes ${factor.toFixed(1)} times the time`],
  )

interface Case {
  readonly name: string
  readonly direction: 'request' | 'response'
  readonly build: (size: number) => JsonObject
}

/** Lists a case for every slot and filling; slots with the same path in several bodies are one. */
function listCases({ fixtures }: Subject): readonly Case[] {
  return (['request', 'response'] as const).flatMap((direction) => {
    const slots = fixtures[direction].flatMap(({ body }) =>
      listSlots(body).map((slot) => ({ ...slot, body })),
    )
    const distinct = [...new Map(slots.map((slot) => [slot.pattern, slot])).values()]
    return distinct.flatMap(({ pattern, path, body, isList }) =>
      Object.entries(fillings)
        .slice(0, isList ? undefined : 1)
        .map(([filling, fill]) => ({
          name: `${direction} ${pattern} with ${filling}`,
          direction,
          build: (size: number) => inflate(body, path, size, fill) as JsonObject,
        })),
    )
  })
}

const times = (size: number, build: (at: number) => Json): readonly Json[] =>
  Array.from({ length: size }, (_, at) => build(at))

const text = (size: number): string => 'wörd '.repeat(size)
const user = { role: 'user', parts: [{ text: 'Hi' }] }
const named = (fields: JsonObject): JsonObject => ({ model: 'm', max_tokens: 9, ...fields })

/** Bodies whose time was quadratic or more once, by dialect. */
const known: { readonly [dialect: string]: readonly Case[] } = {
  gemini: [
    {
      name: 'empty declarations',
      direction: 'request',
      build: (size) => ({ contents: [user], tools: [{ functionDeclarations: times(size * 4, () => ({})) }] }),
    },
    {
      name: 'calls without ids that are answered in reverse',
      direction: 'request',
      build: (size) => ({
        contents: [
          user,
          { role: 'model', parts: times(size, (at) => ({ functionCall: { name: `f${at}`, args: {} } })) },
          {
            role: 'user',
            parts: times(size, (at) => ({ functionResponse: { name: `f${size - 1 - at}`, response: {} } })),
          },
        ],
      }),
    },
    {
      name: 'grounding supports',
      direction: 'response',
      build: (size) => ({
        candidates: [
          {
            content: { role: 'model', parts: [{ text: text(size) }] },
            groundingMetadata: {
              groundingChunks: [{ web: { uri: 'https://example.org', title: 'A' } }],
              groundingSupports: times(size, (at) => ({
                segment: { startIndex: at * 6, endIndex: at * 6 + 6, text: 'wörd ' },
                groundingChunkIndices: [0],
              })),
            },
          },
        ],
      }),
    },
  ],
  ollama: [
    {
      name: 'results in reverse',
      direction: 'request',
      build: (size) => ({
        model: 'm',
        messages: [
          {
            role: 'assistant',
            content: '',
            tool_calls: times(size, (at) => ({ function: { name: `f${at}`, arguments: {} } })),
          },
          ...times(size, (at) => ({ role: 'tool', tool_name: `f${size - 1 - at}`, content: 'x' })),
        ],
      }),
    },
  ],
  'openai-chat': [
    { name: 'empty choices', direction: 'response', build: (size) => ({ choices: times(size, () => ({})) }) },
  ],
  anthropic: [
    {
      name: 'results in reverse',
      direction: 'request',
      build: (size) =>
        named({
          messages: [
            { role: 'user', content: 'Hi' },
            {
              role: 'assistant',
              content: times(size, (at) => ({ type: 'tool_use', id: `c${at}`, name: 'f', input: {} })),
            },
            {
              role: 'user',
              content: times(size, (at) => ({ type: 'tool_result', tool_use_id: `c${size - 1 - at}` })),
            },
          ],
        }),
    },
  ],
}

describe.each(subjects)('[bounded work] $name', (subject) => {
  test.each(known[subject.name] ?? [])('$name', ({ direction, build }) => {
    expect(listSlow(measureBody(subject, direction, build))).toEqual([])
  })

  const cases = listCases(subject)
  const chosen = process.env['SOAK'] ? cases : fc.sample(fc.constantFrom(...cases), { numRuns: 2, seed: 1 })
  test.each(chosen)('$name', ({ direction, build }) => {
    expect(listSlow(measureBody(subject, direction, build))).toEqual([])
  })
})
