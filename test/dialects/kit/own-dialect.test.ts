import fc from 'fast-check'
import {
  accumulate,
  type ChatEvent,
  dialects,
  type DialectName,
  InterlinguaError,
  type JsonObject,
  textOf,
  toEvents,
  toolResult,
  toolCallsOf,
  translateRequest,
  translateResponse,
  translateStream,
  updatePart,
} from 'interlingua'
import { defineDialect } from 'interlingua/dialects/kit'
import { describe, expect, test } from 'vitest'
import { anyRequest, anyResponse, RUNS } from '../../arbitraries.ts'
import { mutated } from '../../json-mutations.ts'
import { attempt, law } from '../../law-assertions.ts'
import { traced, vanished } from '../find-lost-values.ts'
import { bare } from '../json-leaves.ts'
import { payloads } from '../stream-payloads.ts'
import { parleyDialect } from './parley-dialect.ts'
import { requests, responses, streams } from './parley-bodies.ts'

const names = Object.keys(dialects) as readonly DialectName[]

function toBytes(events: readonly JsonObject[]): AsyncIterable<Uint8Array> {
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  return (async function* () {
    yield new TextEncoder().encode(text)
  })()
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of stream) text += decoder.decode(piece, { stream: true })
  return text
}

async function readEvents(events: readonly JsonObject[]): Promise<readonly ChatEvent[]> {
  const found: ChatEvent[] = []
  for await (const event of parleyDialect.decodeStream(toBytes(events))) found.push(event)
  return found
}

describe('a dialect that the kit makes of a description is exact', () => {
  test.each(requests)('request %#', (body) => {
    const { value } = parleyDialect.decodeRequest(body)
    const encoded = parleyDialect.encodeRequest(value)
    expect(encoded).toEqual({ value: body, losses: [] })
    expect(JSON.parse(parleyDialect.encodeRequestText(value).value)).toEqual(body)
  })

  test.each(responses)('response %#', (body) => {
    const encoded = parleyDialect.encodeResponse(parleyDialect.decodeResponse(body).value)
    expect(encoded).toEqual({ value: body, losses: [] })
  })

  test('what a row cannot write is restored, and reported only after an edit', () => {
    const used = { kind: 'used', id: 'c1', gave: { sky: 'rain' } }
    const use = { kind: 'use', id: 'c1', tool: 'weather', with: 'no JSON' }
    const body = {
      engine: 'parley-1',
      turns: [
        { by: 'human', say: 'Hi' },
        { by: 'bot', say: [use] },
        { by: 'tool', say: [used] },
      ],
    }
    const { value } = parleyDialect.decodeRequest(body)
    expect(parleyDialect.encodeRequest(value)).toEqual({ value: body, losses: [] })
    const { value: edited, losses } = parleyDialect.encodeRequest({
      ...value,
      messages: [...value.messages].map((message) =>
        message.role === 'tool' ? { ...message, content: [toolResult('c1', { sky: 'snow' })] } : message,
      ),
    })
    expect(JSON.stringify(edited)).toContain('snow')
    expect(losses.map(({ rule }) => rule)).toEqual(['json-as-text'])
  })

  test('mutated requests and responses', () => {
    law(
      mutated(fc.constantFrom(...requests)),
      (body) => {
        const decoded = attempt(() => parleyDialect.decodeRequest(body))
        if (decoded !== undefined) expect(parleyDialect.encodeRequest(decoded.value).value).toEqual(body)
      },
      RUNS / 4,
    )
    law(
      mutated(fc.constantFrom(...responses)),
      (body) => {
        const decoded = attempt(() => parleyDialect.decodeResponse(body))
        if (decoded !== undefined) expect(parleyDialect.encodeResponse(decoded.value).value).toEqual(body)
      },
      RUNS / 4,
    )
  })

  test.each(streams)('stream %#', async (...events) => {
    const decoded = await readEvents(events)
    expect(payloads(await collect(parleyDialect.encodeStream(decoded)))).toEqual(events)
  })

  test('mutated streams', async () => {
    const anyStream = mutated(fc.constantFrom(...streams)).filter(
      (events) =>
        Array.isArray(events) &&
        events.every((each) => typeof each === 'object' && each !== null && !Array.isArray(each)),
    )
    await fc.assert(
      fc.asyncProperty(anyStream as fc.Arbitrary<JsonObject[]>, async (events) => {
        const decoded = await readEvents(events)
        if (decoded.some(({ type }) => type === 'error')) return
        expect(payloads(await collect(parleyDialect.encodeStream(decoded)))).toEqual(events)
      }),
      { numRuns: process.env['SOAK'] ? 5_000 : 20 },
    )
  })
})

describe('a dialect that the kit makes of a description is understood', () => {
  test('a stream and its response have the same content', async () => {
    const response = await accumulate(parleyDialect.decodeStream(toBytes(streams[0] ?? [])))
    const [message] = response.candidates
    if (message === undefined) throw new Error('no message')
    expect(textOf(message)).toBe('Hello')
    expect(toolCallsOf(message).map((call) => call.arguments)).toEqual([{ city: 'Oslo' }, { city: 'Rome' }])
    expect(message.finish).toEqual({ reason: 'tool-calls' })
    expect(response.usage).toMatchObject({ inputTokens: 5, outputTokens: 7, totalTokens: 12 })
  })

  test('an edit reaches the wire, and the fields of other blocks stay', () => {
    const { value } = parleyDialect.decodeRequest(requests[1])
    const [system, first, ...others] = [...value.messages]
    if (first?.role !== 'user' || system === undefined) throw new Error('no message')
    const [part, ...rest] = first.content
    if (part?.type !== 'text') throw new Error('no text')
    const edited = { ...first, content: [updatePart(part, { text: 'Edited' }), ...rest] }
    const body = parleyDialect.encodeRequest({ ...value, messages: [system, edited, ...others] }).value
    const text = JSON.stringify(body)
    expect(text).toContain('{"kind":"words","words":"Edited","accent":"plain"}')
    expect(text).not.toContain('Weather of this place')
    expect(text).toContain('"pace":"fast"')
  })

  test.each(names)('everything that is lost on the way to %s and back is reported', (name) => {
    for (const body of requests) {
      const there = translateRequest(body, { from: parleyDialect, to: name, model: 'm' })
      const back = translateRequest(there.value, { from: name, to: parleyDialect, model: 'm' })
      const text = JSON.stringify(back.value)
      expect(text).toContain('"by":"human"')
      if (body['brief'] !== undefined) expect(text).toContain('"gave":')
    }
    for (const body of responses.slice(0, 2)) {
      const there = translateResponse(body, { from: parleyDialect, to: name })
      const back = translateResponse(there.value, { from: name, to: parleyDialect })
      expect(back.value).toMatchObject({ why: body['why'] })
    }
  })

  test('generated requests and responses lose nothing in silence', () => {
    law(
      anyRequest,
      (generated) => {
        const request = traced(bare({ ...generated, messages: [...generated.messages] }))
        const { value, losses } = parleyDialect.encodeRequest(request)
        const back = parleyDialect.decodeRequest(value).value
        expect(vanished(request, { ...back, messages: [...back.messages] }, losses)).toEqual([])
      },
      RUNS / 2,
    )
    law(
      anyResponse,
      (response) => {
        const { value } = parleyDialect.encodeResponse(response)
        expect(parleyDialect.encodeResponse(parleyDialect.decodeResponse(value).value).value).toEqual(value)
      },
      RUNS / 4,
    )
  })

  test.each(names)('streams of %s become streams of the dialect, and the reverse', async (name) => {
    const [complete = []] = streams
    // Without the block that no other format has.
    const known = complete.filter((event) => event['at'] !== 4)
    const response = await accumulate(parleyDialect.decodeStream(toBytes(known)))
    const source = dialects[name].encodeStream(toEvents(response))
    const there = translateStream(source, { from: name, to: parleyDialect })
    const text = await collect(there)
    expect(payloads(text).at(-1)).toMatchObject({ event: 'end', why: 'tools', spent: { in: 5, out: 7 } })
    const back = translateStream(toBytes(payloads(text) as JsonObject[]), { from: parleyDialect, to: name })
    const [message] = (await accumulate(dialects[name].decodeStream(back.body))).candidates
    expect(message && textOf(message)).toBe('Hello')
    expect(message && toolCallsOf(message)).toHaveLength(2)
  })

  test('errors have a default form', () => {
    const error = parleyDialect.decodeError(429, {
      error: { message: 'Slow down', type: 'rate_limit_error' },
    })
    expect(error).toMatchObject({ kind: 'rate-limit', message: 'Slow down', dialect: 'parley' })
    expect(dialects.anthropic.encodeError(error).status).toBe(429)
    expect(() => translateResponse({ error: 'Broken' }, { from: parleyDialect, to: 'gemini' })).toThrow(
      'Broken',
    )
  })

  test('a copy of a dialect is refused', () => {
    const copy = { ...parleyDialect }
    expect(() => translateRequest({}, { from: copy, to: 'gemini' })).toThrow(InterlinguaError)
    expect(typeof defineDialect).toBe('function')
  })
})
