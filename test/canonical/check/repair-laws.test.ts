import fc from 'fast-check'
import {
  baseRules,
  type Message,
  Messages,
  type Part,
  repair,
  type Repair,
  type ToolCallPart,
  type ToolResultPart,
  validate,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { describeResult } from '../../../src/canonical/check/result-text.ts'
import { anyMessages, RUNS } from '../../arbitraries.ts'
import { tangles } from './tangled-conversations.ts'

const runs = { numRuns: RUNS }

const anyTangle = tangles('call', 'call', 'provider', 'result', 'opaque', 'made up')

/** Conversations that were mended once and then went on, in any order. */
const anySequel: fc.Arbitrary<Message[]> = fc
  .tuple(anyTangle, anyMessages)
  .chain(([earlier, later]) => fc.shuffledSubarray([...repair(earlier), ...later]))

const anyHistory: fc.Arbitrary<Message[]> = fc.oneof(anyMessages, anySequel, anyTangle)

const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
const partsOf = (messages: readonly Message[]): readonly Part[] => messages.flatMap(({ content }) => content)
const callsOf = (messages: readonly Message[]): ToolCallPart[] =>
  partsOf(messages).filter((part) => part.type === 'tool-call')
const resultsOf = (messages: readonly Message[]): ToolResultPart[] =>
  partsOf(messages).filter((part) => part.type === 'tool-result')
const unique = (ids: readonly string[]): boolean => new Set(ids).size === ids.length

/** What a strict provider takes, said in the plainest way: written from the rules' words, not from their code. */
function isTidy(messages: readonly Message[]): boolean {
  const calls = callsOf(messages)
  const clients = new Set(calls.filter((call) => call.executedBy === undefined).map((call) => call.id))
  const start = messages.findIndex((message) => message.role !== 'tool')
  return (
    unique(messages.map(({ id }) => id)) &&
    unique(calls.map(({ id }) => id)) &&
    resultsOf(start < 0 ? messages : messages.slice(0, start)).length === 0 &&
    messages.every((message, index) => {
      if (message.content.length === 0) return false
      if (message.role === 'tool') return true
      const next = messages.findIndex(({ role }, position) => position > index && role !== 'tool')
      const round = messages.slice(index + 1, next < 0 ? undefined : next)
      const firstWithout = round.findIndex((each) => resultsOf([each]).length === 0)
      const answers = resultsOf(round).map(({ callId: id }) => id)
      const inline = resultsOf([message]).map(({ callId: id }) => id)
      const open = callsOf([message]).filter(({ executedBy }) => executedBy === undefined)
      return (
        unique(answers) &&
        answers.every((id) => open.some((call) => call.id === id)) &&
        open.every((call) => answers.includes(call.id)) &&
        (firstWithout < 0 || resultsOf(round.slice(firstWithout)).length === 0) &&
        !inline.some((id) => clients.has(id))
      )
    })
  )
}

/** The messages that no repair moves or adds, without what a repair may change in them. */
const standing = (messages: readonly Message[]): unknown[] =>
  messages
    .filter((message) => message.role !== 'tool' && !isDescription(message))
    .map(({ id: _id, content: _content, metadata: _metadata, ...rest }) => rest)

/** True for a user message that describes results without a call. */
function isDescription({ role, metadata }: Message): boolean {
  const { repaired } = (metadata?.['interlingua'] ?? {}) as { repaired?: readonly string[] }
  const rules = ['orphan-result', 'duplicate-result']
  return role === 'user' && rules.some((rule) => repaired?.includes(rule))
}

/** What the list has not, each counted as often as it occurs. */
function missing(wanted: readonly unknown[], list: readonly unknown[]): string[] {
  const counts = new Map<string, number>()
  for (const each of list.map((item) => JSON.stringify(item))) counts.set(each, (counts.get(each) ?? 0) + 1)
  return wanted
    .map((item) => JSON.stringify(item))
    .filter((each) => {
      const count = counts.get(each) ?? 0
      counts.set(each, count - 1)
      return count <= 0
    })
}

const isDeeplyFrozen = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen))

describe('repair, as laws', () => {
  test('validate finds what a naive reader finds', () => {
    fc.assert(
      fc.property(tangles('call', 'provider', 'result', 'opaque'), (messages) => {
        expect(validate(messages).length === 0).toBe(isTidy(messages))
      }),
      { numRuns: RUNS * 10 },
    )
  })

  test('[r216] its output has no problem, and a naive reader agrees', () => {
    fc.assert(
      fc.property(anyHistory, (messages) => {
        const output = repair(messages)
        expect(validate(output)).toEqual([])
        expect(isTidy(output)).toBe(true)
      }),
      runs,
    )
  })

  test('[C22] it is idempotent, to the very object, and leaves the sound alone', () => {
    fc.assert(
      fc.property(anyHistory, (messages) => {
        const output = repair(messages)
        expect(repair(output)).toBe(output)
        expect(output === messages).toBe(validate(messages).length === 0)
      }),
      runs,
    )
  })

  test('nothing is mutated or frozen, and everything given back is frozen', () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const before = clone(messages)
        const output = repair(messages)
        expect(messages).toEqual(before)
        expect(messages.some((message) => Object.isFrozen(message))).toBe(false)
        expect(output === messages || isDeeplyFrozen(output)).toBe(true)
      }),
      runs,
    )
  })

  test('it is deterministic for an array and for a Messages', () => {
    fc.assert(
      fc.property(anyHistory, (messages) => {
        const output = repair(messages)
        expect(repair(clone(messages))).toEqual(output)
        expect([...repair(Messages.from(messages))]).toEqual(output)
      }),
      runs,
    )
  })

  test('what no rule reports as taken survives as it was, and one round is enough', () => {
    fc.assert(
      fc.property(anyHistory, (messages) => {
        let list: readonly Message[] = messages
        for (const rule of baseRules) {
          const named = new Map<string, Repair['action']>()
          const before = list
          list = rule.repair(before, ({ path, action }) => named.set(path, action))
          expect(list === before).toBe(named.size === 0)
          const survivors = before.flatMap(({ content }, index) =>
            (content as readonly Part[]).filter((_part, position) => {
              const action = named.get(`/${index}/content/${position}`)
              if (action === 'moved' || action === 'added') return true
              return action === undefined && named.get(`/${index}`) !== 'removed'
            }),
          )
          expect(missing(survivors, partsOf(list))).toEqual([])
          expect(missing(standing(list), standing(before))).toEqual([])
          const described = before.flatMap(({ content }, index) =>
            content.filter((_part, position) => named.get(`/${index}/content/${position}`) === 'described'),
          )
          const texts = described.map((part) => ({
            type: 'text',
            text: describeResult(part as ToolResultPart),
          }))
          expect(missing(texts, partsOf(list.filter(isDescription)))).toEqual([])
        }
        expect(validate(list)).toEqual([])
      }),
      runs,
    )
  })
})
