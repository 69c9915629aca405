import fc from 'fast-check'
import { dialects, type Message, type Part, repair } from 'interlingua'
import { expect, test } from 'vitest'
import { pairCalls } from '../../../src/canonical/check/call-pairing.ts'
import { anyMessages, RUNS } from '../../arbitraries.ts'
import { bare } from '../../dialects/json-leaves.ts'
import { tangles } from './tangled-conversations.ts'

/** Rules of the encoders about tool calls and their results. */
const PAIRING_RULES: readonly string[] = [
  'orphan-call',
  'orphan-result',
  'duplicate-result',
  'duplicate-call-id',
  'misplaced-result',
  'late-result',
]

/**
 * Conversations without residue, because its hints tell the encoder to keep what is invalid, and without empty messages,
 * which `repair` removes for another reason, and without cache markers: a result that becomes text has none, so it does not
 * count towards the limit of a provider.
 */
const anyConversation: fc.Arbitrary<Message[]> = fc
  .oneof(anyMessages, tangles('call', 'call', 'provider', 'result', 'opaque'))
  .map((messages) =>
    withoutCache(bare(messages)).filter(({ content }) => content.some((part) => !isEmptyText(part))),
  )

function withoutCache<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (key, each: unknown) => (key === 'cache' ? undefined : each))) as T
}

function isEmptyText(part: Part): boolean {
  return (part.type === 'text' || part.type === 'reasoning') && part.text === ''
}

/**
 * True if an assistant message separates a result from its call, so that only `repair`, which sees the complete
 * conversation, can move the result to its call.
 */
function needsCompleteView(messages: readonly Message[]): boolean {
  let count = 0
  const turns = messages.map(({ role }) => (role === 'assistant' ? ++count : count))
  return pairCalls(messages).results.some(
    ({ call, message }) =>
      call !== undefined && call.value.executedBy === undefined && turns[message] !== turns[call.message],
  )
}

test.each(Object.values(dialects).map((dialect) => [dialect.name, dialect] as const))(
  '%s: encoding does what repair does',
  (_name, dialect) => {
    let compared = 0
    let changed = 0
    fc.assert(
      fc.property(anyConversation, (messages) => {
        const repaired = repair(messages)
        const { value, losses } = dialect.encodeRequest({ messages: repaired })
        expect(losses.filter(({ rule }) => PAIRING_RULES.includes(rule))).toEqual([])
        if (needsCompleteView(messages)) return
        compared += 1
        if (repaired !== messages) changed += 1
        expect(dialect.encodeRequest({ messages }).value).toEqual(value)
      }),
      { numRuns: RUNS },
    )
    expect(compared).toBeGreaterThan(RUNS / 2)
    expect(changed).toBeGreaterThan(RUNS / 4)
  },
)
