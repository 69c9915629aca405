import type fc from 'fast-check'
import { type ChatRequest, type ChatResponse, type Loss, repair } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyRequest, anyResponse } from '../arbitraries.ts'
import { again, expectSame, law } from '../laws.ts'
import { lines, subjects } from './subjects.ts'
import { bare, covers, leavesOf, mapLeaves, type Place, pointerTo, setOf } from './trees.ts'

/** The application's own, and what is kept beside the fields. */
const unsent: ReadonlySet<string | number> = setOf(
  'extra metadata createdAt parentId origin of rawArguments finish usage',
)
/** Words of the model, and ids that join a call and its result. */
const words: ReadonlySet<string | number> = setOf(
  'type role kind unit dialect provider maker executedBy mediaType detail mode id callId',
  'ttl reason raw effort summary',
)

/** What goes by its path: the messages move, the settings do not. */
const settings = [
  ...(['maxOutputTokens', 'temperature', 'topP', 'topK', 'stop', 'seed', 'presencePenalty'] as const),
  ...(['frequencyPenalty', 'candidateCount', 'logprobs', 'stream', 'user', 'metadata', 'model'] as const),
  ...(['toolChoice', 'parallelToolCalls', 'output', 'reasoning'] as const),
]

/** Each text of the conversation like no other; blank ones stay, since they may be refused. */
function traced<T>(value: T): T {
  let next = 0
  return mapLeaves(value, (leaf, at) => {
    const skip = typeof leaf !== 'string' || leaf.trim() === '' || at.some((key) => unsent.has(key))
    if (skip || words.has(at.at(-1) ?? '') || at[0] === 'toolChoice' || at[0] === 'reasoning') return leaf
    if (at.some((key) => key === 'input' || key === 'options' || key === 'schema' || key === 'value'))
      return leaf
    const mark = `m${String((next += 1)).padStart(4, '0')}q`
    return at.at(-1) === 'url' ? `https://example.org/${mark}` : mark
  }) as T
}

const isTrace = (value: unknown): value is string => typeof value === 'string' && /m\d{4}q$/.test(value)

function isNamed(losses: readonly Loss[], at: Place): boolean {
  return losses.some(({ path }) => path !== '' && path !== '/messages' && covers(path, pointerTo(at)))
}

const withoutExtra = (key: string | number): boolean => key !== 'extra'

/** The texts that went in, and neither came out under their own key nor were named by a loss. */
function vanished(given: unknown, back: unknown, losses: readonly Loss[]): readonly string[] {
  const found = new Set(
    leavesOf(back, withoutExtra).flatMap(({ at, value }) =>
      isTrace(value) ? [`${keyOf(at)} ${value}`] : [],
    ),
  )
  return leavesOf(given, (key) => !unsent.has(key))
    .filter(
      ({ at, value }) =>
        isTrace(value) && !found.has(`${keyOf(at)} ${String(value)}`) && !isNamed(losses, at),
    )
    .map(({ at, value }) => `${pointerTo(at)} ${String(value)}`)
}

const keyOf = (at: Place): string | number => at.findLast((key) => typeof key === 'string') ?? ''

describe.each(subjects)('what $name can carry comes back', ({ dialect }) => {
  test('requests', () => {
    law(anyRequest, (generated) => {
      const tidy = { ...generated, messages: repair([...generated.messages]) }
      const asked = traced(bare(JSON.parse(JSON.stringify(tidy)) as ChatRequest))
      const request = { ...asked, model: asked.model || 'a-model' }
      const { value, losses } = dialect.encodeRequest(request)
      // Some formats say in the path what others say in the body.
      const { path } = dialect.endpoint(request)
      const back = dialect.decodeRequest(value, { path }).value
      expect(vanished(request, back, losses)).toEqual([])
      for (const key of settings) {
        // Not to stream may be said or not.
        const unsaid = key === 'stream' && back.stream === false ? false : null
        const changed = leavesOf({ [key]: request[key] ?? unsaid })
        const same = leavesOf({ [key]: back[key] ?? null })
        const missing = changed.filter(
          (leaf) =>
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

/** A value without its residue, and with ids of messages that do not differ from one decoding to the next. */
function carried(value: unknown): unknown {
  return mapLeaves(bare(again(value)), (leaf, at) => {
    const inList = at.at(-3) === 'messages' || at.at(-3) === 'candidates'
    return at.at(-1) === 'id' && inList ? 'msg' : leaf
  })
}

describe.each(subjects)('what $name can carry, it carries whole', ({ dialect }) => {
  // What came back from an encoding is what the format can carry: from its canonical fields alone it must come back again.
  test('requests, every field', () => {
    law(anyRequest, (generated) => {
      const sent = dialect.encodeRequest({
        ...bare(generated),
        messages: repair(bare([...generated.messages])),
      })
      const once = carried(dialect.decodeRequest(sent.value).value) as ChatRequest
      const twice = dialect.decodeRequest(dialect.encodeRequest(once).value).value
      expectSame(carried(twice), once)
    })
  })

  test('responses, every field', () => {
    law(anyResponse, (generated) => {
      const sent = dialect.encodeResponse(bare(generated), { now: () => 0 })
      const once = carried(dialect.decodeResponse(sent.value).value) as ChatResponse
      const twice = dialect.decodeResponse(dialect.encodeResponse(once, { now: () => 0 }).value).value
      expectSame(carried(twice), once)
    })
  })
})

describe.each(lines)('$name: nothing that is given is changed', ({ subject, codec }) => {
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
