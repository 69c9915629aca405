import type { Message } from '../model/message.ts'
import { moveResults, pathTo, removeResults, type Work } from './edit.ts'
import { pairCalls, type Result } from './pairing.ts'
import type { Rule } from './rule.ts'

/** What can be wrong with a result, and how it is mended. */
interface ResultRule {
  readonly id: string
  readonly summary: string
  readonly message: string
  readonly breaks: (result: Result) => boolean
  readonly mend: (work: Work, results: readonly Result[]) => readonly Message[]
}

const table: readonly ResultRule[] = [
  {
    id: 'orphan-result',
    summary: 'Every result answers a call.',
    message: 'No call has the id that this result answers',
    breaks: (result) => result.kind === 'orphan',
    mend: removeResults,
  },
  {
    id: 'duplicate-result',
    summary: 'Every call has at most one result.',
    message: 'Another result answers the same call',
    breaks: (result) => result.kind === 'extra',
    mend: removeResults,
  },
  {
    id: 'result-before-call',
    summary: 'A result stands after its call.',
    message: 'The result stands before its call',
    breaks: (result) => result.kind === 'early',
    mend: moveResults,
  },
  {
    id: 'misplaced-result',
    summary: 'The result of a call that the application runs stands in a tool message.',
    message: 'The result stands in an assistant message, but its call is not run by the provider',
    breaks: (result) => result.kind === 'answer' && result.inline,
    mend: moveResults,
  },
  {
    id: 'late-result',
    summary: 'Between a call and its result stand only tool messages.',
    message: 'A message that is not a tool message stands between the call and this result',
    breaks: ({ kind, inline, follows, call }) => kind === 'answer' && !inline && follows !== call?.message,
    mend: moveResults,
  },
]

/** The rules about results, in the order in which they are mended. */
export const resultRules: readonly Rule[] = table.map(({ id, summary, message, breaks, mend }) => {
  const find = (messages: readonly Message[]): readonly Result[] =>
    pairCalls(messages).results.filter((result) => !isNative(result) && breaks(result))
  return {
    id,
    severity: 'error',
    summary,
    check: (messages) => find(messages).map((result) => ({ path: pathTo(result), message })),
    repair: (messages, report) => {
      const results = find(messages)
      return results.length === 0 ? messages : mend({ rule: id, messages, report }, results)
    },
  }
})

/** A result that a provider wrote for its own tool is its affair: where it stands, how often, and for which call. */
function isNative({ inline, call }: Result): boolean {
  return inline && (call === undefined || call.value.executedBy === 'provider')
}
