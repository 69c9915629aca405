import { isDeepStrictEqual } from 'node:util'
import type fc from 'fast-check'
import { type ChatRequest, type ChatResponse, type Message, type Part, repair } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyRequest, anyResponse } from '../arbitraries.ts'
import { again, expectSame, law } from '../law-assertions.ts'
import { lines, subjects } from './dialect-table.ts'
import { isNamed, traced, vanished } from './find-lost-values.ts'
import { bare, leavesOf, mapLeaves, pointerTo, type Leaf } from './json-leaves.ts'
import { identity } from './stream-responses.ts'

/** Keys that are compared by their path: messages can move, settings cannot. */
const settings = [
  ...(['maxOutputTokens', 'temperature', 'topP', 'topK', 'stop', 'seed', 'presencePenalty'] as const),
  ...(['frequencyPenalty', 'candidateCount', 'logprobs', 'stream', 'user', 'metadata', 'model'] as const),
  ...(['toolChoice', 'parallelToolCalls', 'output', 'reasoning', 'verbosity', 'serviceTier'] as const),
  ...(['store', 'promptCacheKey', 'safetyIdentifier'] as const),
]

/** Defaults of every provider: a setting with its default may be omitted without a report. */
const defaults: Readonly<Record<string, unknown>> = {
  '/parallelToolCalls': true,
  '/toolChoice': 'auto',
  '/output/type': 'text',
  '/temperature': 1,
  '/topP': 1,
  '/presencePenalty': 0,
  '/frequencyPenalty': 0,
  '/candidateCount': 1,
  '/verbosity': 'medium',
  '/serviceTier': 'auto',
  '/store': false,
}

/** Returns true for a setting that others imply: no call without tools, reasoning with an effort or a budget. */
function isImplied({ at, value }: Leaf, { tools, reasoning }: ChatRequest): boolean {
  if (pointerTo(at) === '/toolChoice') return value === 'none' && tools === undefined
  const isSet = reasoning?.effort !== undefined || reasoning?.budgetTokens !== undefined
  return pointerTo(at) === '/reasoning/enabled' && value === true && isSet
}

describe.each(subjects)('content that $name supports is decoded again', ({ dialect }) => {
  test('requests', () => {
    law(anyRequest, (generated) => {
      const tidy = { ...generated, messages: repair([...generated.messages]) }
      const asked = traced(bare(JSON.parse(JSON.stringify(tidy)) as ChatRequest))
      const request = { ...asked, model: asked.model || 'a-model' }
      const { value, losses } = dialect.encodeRequest(request)
      // Some formats have settings in the path that others have in the body.
      const { path } = dialect.endpoint(request)
      const back = dialect.decodeRequest(value, { path }).value
      expect(vanished(request, back, losses)).toEqual([])
      for (const key of settings) {
        if (isDeepStrictEqual(request[key], back[key])) continue
        // `stream: false` may be omitted.
        const unsaid = key === 'stream' && back.stream === false ? false : null
        const changed = leavesOf({ [key]: request[key] ?? unsaid })
        const same = leavesOf({ [key]: back[key] ?? null })
        const missing = changed.filter(
          (leaf) =>
            defaults[pointerTo(leaf.at)] !== leaf.value &&
            !isImplied(leaf, back) &&
            !same.some((each) => pointerTo(each.at) === pointerTo(leaf.at) && each.value === leaf.value),
        )
        expect(missing.filter((leaf) => !isNamed(losses, leaf.at)).map(({ at }) => pointerTo(at))).toEqual([])
      }
    })
  })

  test('responses', () => {
    law(anyResponse, (generated) => {
      const response = traced(bare(JSON.parse(JSON.stringify(generated)) as ChatResponse))
      const { value, losses } = dialect.encodeResponse(response)
      const back = dialect.decodeResponse(value).value
      expect(vanished(response, back, losses)).toEqual([])
    })
  })
})

/** Returns a value without its residue, and with message ids that are the same in every decoding. */
function carried(value: unknown): unknown {
  return mapLeaves(bare(again(value)), (leaf, at) => {
    const inList = at.at(-3) === 'messages' || at.at(-3) === 'candidates'
    return at.at(-1) === 'id' && inList ? 'msg' : leaf
  })
}

/** Returns a request without unsigned reasoning, such as a tool plan: it is sent only with the residue of its format. */
function withoutUnsigned(request: ChatRequest): ChatRequest {
  const isKept = (part: Part): boolean => part.type !== 'reasoning' || part.signature !== undefined
  const messages = [...request.messages].map(
    (message) => ({ ...message, content: (message.content as readonly Part[]).filter(isKept) }) as Message,
  )
  return { ...request, messages }
}

describe.each(subjects)('content that $name supports is sent completely', ({ dialect }) => {
  // A decoded encoding contains only what the format supports: encoded from its canonical fields alone, it
  // must decode to the same value.
  test('requests, every field', () => {
    law(anyRequest, (generated) => {
      const sent = dialect.encodeRequest({
        ...bare(generated),
        messages: repair(bare([...generated.messages])),
      })
      const once = withoutUnsigned(carried(dialect.decodeRequest(sent.value).value) as ChatRequest)
      const twice = dialect.decodeRequest(dialect.encodeRequest(once).value).value
      expectSame(carried(twice), once)
    })
  })

  test('responses, every field', () => {
    law(anyResponse, (generated) => {
      const sent = dialect.encodeResponse(bare(generated), { now: () => 0 })
      const once = carried(dialect.decodeResponse(sent.value, identity).value) as ChatResponse
      const resent = dialect.encodeResponse(once, { now: () => 0 }).value
      const twice = dialect.decodeResponse(resent, identity).value
      expectSame(carried(twice), once)
    })
  })
})

describe.each(lines)('$name: the input is not changed', ({ subject, codec }) => {
  const given: fc.Arbitrary<unknown> = codec.direction === 'request' ? anyRequest : anyResponse

  test('neither by encoding nor by decoding', () => {
    law(given, (value) => {
      const before = structuredClone(value)
      const wire = codec.encode(subject, value).value
      expectSame(value, before)
      const sent = structuredClone(wire)
      codec.decode(subject, wire)
      expectSame(wire, sent)
    })
  })
})
