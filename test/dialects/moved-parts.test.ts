import fc from 'fast-check'
import {
  type AssistantMessage,
  type ChatRequest,
  updatePart,
  type Json,
  type JsonObject,
  type Message,
  repair,
  validate,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { again, expectSame, law } from '../law-assertions.ts'
import { validator } from '../wire-validators.ts'
import { marked } from './marked-bodies.ts'
import { allPairs, pairs, SHARE, subjects } from './dialect-table.ts'
import { leavesOf } from './json-leaves.ts'
import { shareOf, shareOfFixtures } from './pair-shares.ts'

type Step = (messages: readonly Message[], where: number, other: number) => readonly Message[]

const at = (list: readonly unknown[], where: number): number => (list.length === 0 ? 0 : where % list.length)

function withContent(message: Message, change: (parts: readonly unknown[]) => readonly unknown[]): Message {
  return { ...message, content: change(message.content) } as Message
}

function swapped<T>(list: readonly T[], a: number, b: number): readonly T[] {
  return list.map((each, index) => (index === a ? list[b] : index === b ? list[a] : each) as T)
}

/** Operations that change the structure of a conversation. */
const steps: readonly Step[] = [
  (messages, where) => messages.filter((_, index) => index !== at(messages, where)),
  (messages, where, other) => swapped(messages, at(messages, where), at(messages, other)),
  (messages, where) => {
    const said = {
      id: `msg_new_${where}`,
      role: 'user',
      content: [{ type: 'text', text: 'Inserted' }],
    } as const
    return messages.toSpliced(at(messages, where), 0, said)
  },
  (messages, where, other) =>
    messages.map((message, index) =>
      index === at(messages, where)
        ? withContent(message, (parts) => parts.filter((_, part) => part !== at(parts, other)))
        : message,
    ),
  (messages, where, other) =>
    messages.map((message, index) =>
      index === at(messages, where)
        ? withContent(message, (parts) => swapped(parts, 0, at(parts, other)))
        : message,
    ),
]

const script = fc.array(fc.tuple(fc.nat(steps.length - 1), fc.nat(), fc.nat()), {
  minLength: 1,
  maxLength: 4,
})

describe.each(subjects)('$name: parts and messages are added, removed and moved', (subject) => {
  const { dialect, row } = subject

  const sources = subject.valid.request.map(({ body }) => {
    const { body: source, marks } = marked(body)
    const plain = again(dialect.decodeRequest(body).value) as ChatRequest
    return { plain, traced: again(dialect.decodeRequest(source).value) as ChatRequest, marks }
  })

  test('the encoded body stays valid, and contains no stale residue', () => {
    const run = (request: ChatRequest, how: readonly (readonly [number, number, number])[]): ChatRequest => {
      const moved = how.reduce(
        (messages, [step, where, other]) => steps[step]?.(messages, where, other) ?? messages,
        [...request.messages] as readonly Message[],
      )
      return { ...request, messages: repair(moved) }
    }
    law(fc.tuple(fc.constantFrom(...sources), script), ([{ plain, traced, marks }, how]) => {
      const complaints = row.widest.request.flatMap((schema) => {
        return validator(schema)(dialect.encodeRequest(run(plain, how)).value)
      })
      expect(complaints).toEqual([])
      const edited = run(traced, how)
      const here = leavesOf(edited).map(({ value }) => String(value))
      const out = JSON.stringify(dialect.encodeRequest(edited).value)
      const stale = marks.filter((mark) => {
        return out.includes(String(mark)) && !here.some((value) => value.includes(String(mark)))
      })
      expect(stale).toEqual([])
    })
  })
})

describe.each(subjects)('$name: a signature', (subject) => {
  const { dialect } = subject
  const answers = [...subject.fixtures.response, ...subject.own.response]
    .map(({ body }) => dialect.decodeResponse(body).value)
    .flatMap((response) => response.candidates.map((candidate) => ({ response, candidate })))
    .flatMap(({ response, candidate }) =>
      candidate.content
        .map((part, index) => ({ response, candidate, part, index }))
        .filter(({ part }) => part.type === 'reasoning' && part.signature !== undefined),
    )

  test('the bodies contain some if the format has them', () =>
    expect(answers.length > 0).toBe(subject.row.signs))

  test('is removed with an edit of its part, which is reported, and stays otherwise', () => {
    for (const { response, candidate, part, index } of answers) {
      if (part.type !== 'reasoning') continue
      const token = JSON.stringify(part.signature?.value).slice(1, -1)
      const edit = (
        changed: AssistantMessage['content'][number],
      ): ReturnType<typeof dialect.encodeResponse> =>
        dialect.encodeResponse({
          ...response,
          candidates: [{ ...candidate, content: candidate.content.with(index, changed) }],
        })
      const edited = edit(updatePart(part, { text: `${part.text} and more` }))
      expect(JSON.stringify(edited.value)).not.toContain(token)
      expect(edited.losses.map(({ rule }) => rule)).toContain('stale-signature')
      const touched = edit(updatePart(part, { metadata: { seen: true } }))
      expect(JSON.stringify(touched.value)).toContain(token)
      expectSame(touched.losses, [])
    }
  })
})

describe.each(pairs)('$name and back', (pair) => {
  const { from, to } = pair
  const requests = [
    ...shareOfFixtures(pair, from.fixtures.request),
    ...shareOf(pair, from.recordings.request),
  ]
  const responses = [
    ...shareOfFixtures(pair, from.fixtures.response),
    ...shareOf(pair, from.recordings.response),
  ]

  test('encoding for another dialect changes nothing, so encoding for the first restores everything', () => {
    for (const { body } of requests) {
      const { value } = from.dialect.decodeRequest(body)
      const before = again(value)
      to.dialect.encodeRequest(value)
      expectSame(again(value), before)
      expectSame(from.dialect.encodeRequest(value), { value: body, losses: [] })
    }
    for (const { body } of responses) {
      const { value } = from.dialect.decodeResponse(body)
      to.dialect.encodeResponse(value)
      expectSame(from.dialect.encodeResponse(value), { value: body, losses: [] })
    }
  })
})

/** The requests of each dialect to which turns can be appended, found once for all targets. */
const extensible = new Map(
  subjects.map(({ name, fixtures, recordings, row }) => [
    name,
    [...fixtures.request, ...recordings.request]
      .map(({ body }) => body)
      .filter((body) => Array.isArray(body[row.list]) && JSON.stringify(body).length < 20_000)
      // A list of contents is one turn; with further turns, it becomes a list of steps.
      .filter(({ input }) => !/^\[\{"type":"(?:text|image)"/.test(JSON.stringify(input ?? null))),
  ]),
)

describe.each(pairs)('$name and back, with turns of the other dialect in between', ({ from, to }) => {
  const requests = extensible.get(from.name) ?? []
  const answers = to.fixtures.response
    .map(({ body }) => to.dialect.decodeResponse(body).value.candidates[0])
    .filter((answer) => answer !== undefined)
  const go: Message = { id: 'msg_go', role: 'user', content: [{ type: 'text', text: 'Go on' }] }

  test('the earlier turns are sent as they were received: reasoning, signatures and ids', () => {
    const turns = fc.array(fc.constantFrom(...answers), { minLength: 1, maxLength: 3 })
    law(
      fc.tuple(fc.constantFrom(...requests), turns, fc.boolean()),
      ([body, between, stored]) => {
        const decoded = from.dialect.decodeRequest(body).value
        const request = stored ? (again(decoded) as ChatRequest) : decoded
        const messages = [...request.messages, go, ...between.flatMap((answer) => [answer, go])]
        to.dialect.encodeRequest({ ...request, messages })
        const back: JsonObject = from.dialect.encodeRequest({ ...request, messages }).value
        const came = body[from.row.list] as readonly Json[]
        // The last turn was open: the following messages may be merged into it.
        const closed = came.slice(0, -1)
        expectSame((back[from.row.list] as readonly Json[]).slice(0, closed.length), closed)
      },
      SHARE,
    )
  })
})

test.each(allPairs)('$name keeps the prefix, whatever is appended', (pair) => {
  const { from, to } = pair
  const bodies = [...shareOfFixtures(pair, from.fixtures.request), ...shareOf(pair, from.recordings.request)]
  for (const { name, body } of bodies) {
    const request = from.dialect.decodeRequest(body).value
    const messages = [...request.messages]
    const encode = (count: number): readonly unknown[] => {
      const part = { ...request, messages: messages.slice(0, count) }
      const value: JsonObject = to.dialect.encodeRequest(part).value
      return value[to.row.list] as readonly unknown[]
    }
    const whole = encode(messages.length)
    if (!Array.isArray(whole)) continue // a body whose messages are not a list stays like that
    const cuts =
      messages.length > 8 ? [1, Math.floor(messages.length / 2), messages.length - 1] : messages.keys()
    for (const count of cuts) {
      // A turn is closed if no call waits for a result.
      if (validate(messages.slice(0, count)).some(({ rule }) => rule === 'orphan-call')) continue
      const closed = (encode(count) ?? []).slice(0, -1) // the last turn may be open
      expect(whole.slice(0, closed.length), name).toEqual(closed)
    }
  }
})
