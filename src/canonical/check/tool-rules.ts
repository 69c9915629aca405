import type { Message } from '../model/message.ts'
import type { Part, ToolResultPart } from '../model/part.ts'
import {
  addResults,
  groupBy,
  toMessagePath,
  moveResults,
  removeResults,
  type RepairContext,
} from './repair-results.ts'
import { addRepairMark, ORPHAN_CALL_RULE_ID, markRepaired } from './repair-marks.ts'
import { createUniqueNames, findRepeated } from '../../wire/unique-names.ts'
import { type PairedCall, pairCalls, snapshotMessages, type PairedResult } from './call-pairing.ts'
import type { Rule } from './rule.ts'

/** What can be wrong with a result, and how it is mended. */
interface ResultRule {
  readonly id: string
  readonly summary: string
  readonly message: string
  readonly isBroken: (result: PairedResult) => boolean
  readonly repair: (work: RepairContext, results: readonly PairedResult[]) => readonly Message[]
}

const RESULT_RULE_TABLE: readonly ResultRule[] = [
  {
    id: 'orphan-result',
    summary: 'Every result answers a call.',
    message: 'No call has the id that this result answers',
    isBroken: (result) => result.kind === 'orphan',
    repair: removeResults,
  },
  {
    id: 'duplicate-result',
    summary: 'Every call has at most one result.',
    message: 'Another result answers the same call',
    isBroken: (result) => result.kind === 'extra',
    repair: removeResults,
  },
  {
    id: 'result-before-call',
    summary: 'A result stands after its call.',
    message: 'The result stands before its call',
    isBroken: (result) => result.kind === 'early',
    repair: moveResults,
  },
  {
    id: 'misplaced-result',
    summary: 'The result of a call that the application runs stands in a tool message.',
    message: 'The result stands in an assistant message, but its call is not run by the provider',
    isBroken: (result) => result.kind === 'answer' && result.isInline,
    repair: moveResults,
  },
  {
    id: 'late-result',
    summary: 'Between a call and its result stand only tool messages.',
    message: 'A message that is not a tool message stands between the call and this result',
    isBroken: ({ kind, isInline, precedingMessage, call }) =>
      kind === 'answer' && !isInline && precedingMessage !== call?.message,
    repair: moveResults,
  },
]

/** The rules about results, in the order in which they are mended. */
export const resultRules: readonly Rule[] = RESULT_RULE_TABLE.map(
  ({ id, summary, message, isBroken, repair }) => {
    const find = (messages: readonly Message[]): readonly PairedResult[] =>
      pairCalls(messages).results.filter((result) => !isProviderResult(result) && isBroken(result))
    return {
      id,
      severity: 'error',
      summary,
      check: (messages) => find(messages).map((result) => ({ path: toMessagePath(result), message })),
      repair: (messages, report) => {
        const results = find(messages)
        return results.length === 0 ? messages : repair({ rule: id, messages, report }, results)
      },
    }
  },
)

/** A result that a provider wrote for its own tool is its affair: where it stands, how often, and for which call. */
function isProviderResult({ isInline, call }: PairedResult): boolean {
  return isInline && (call === undefined || call.value.executedBy === 'provider')
}

/** What answers a call that nobody answered. */
export const MISSING_RESULT_TEXT = 'No result was recorded for this call.'

/** A call that the application was to run, without a result: it gets an error result, so that a provider takes it. */
export const orphanCallRule: Rule = {
  id: ORPHAN_CALL_RULE_ID,
  severity: 'error',
  summary: 'Every call that the application runs has a result.',
  check: (messages) =>
    findUnansweredCalls(messages).map((call) => ({
      path: toMessagePath(call),
      message: 'No result answers this call',
    })),
  repair: (messages, report) => {
    const calls = findUnansweredCalls(messages)
    if (calls.length === 0) return messages
    for (const call of calls)
      report({ rule: ORPHAN_CALL_RULE_ID, action: 'added', path: toMessagePath(call) })
    const rounds = groupBy(calls, (call) => call.message)
    const results = Array.from(rounds, ([host, round]) => [host, round.map(createMissingResult)] as const)
    return addResults({ rule: ORPHAN_CALL_RULE_ID, messages, report }, new Map(results))
  },
}

/** A call with the id of one before it: the later one gets the first free `<id>_2`, and its results follow. */
export const duplicateCallIdRule: Rule = {
  id: 'duplicate-call-id',
  severity: 'error',
  summary: 'Every tool call has an id of its own.',
  check: (messages) =>
    findRepeatedCalls(messages).map((call) => ({
      path: toMessagePath(call),
      message: 'An earlier tool call has the same id',
    })),
  repair: (messages, report) => {
    const renamed = renameRepeatedCalls(messages)
    if (renamed.length === 0) return messages
    for (const place of renamed)
      report({ rule: duplicateCallIdRule.id, action: 'renamed', path: toMessagePath(place) })
    const changes = groupBy(renamed, ({ message }) => message)
    return snapshotMessages(messages.map((message, index) => replaceParts(message, changes.get(index))))
  },
}

interface RenamedPart {
  readonly message: number
  readonly part: number
  readonly value: Part
}

/** The repeated calls under free ids, and all results that belong to them. */
function renameRepeatedCalls(messages: readonly Message[]): readonly RenamedPart[] {
  const { calls, results } = pairCalls(messages)
  const taken = [...calls.map(({ value }) => value.id), ...results.map(({ value }) => value.callId)]
  const freeId = createUniqueNames(new Set(taken))
  const ids = new Map(findRepeatedCalls(messages).map((call) => [call, freeId(call.value.id)]))
  const renamed: RenamedPart[] = []
  for (const [{ message, part, value }, id] of ids) renamed.push({ message, part, value: { ...value, id } })
  for (const { message, part, value, call } of results) {
    const callId = call && ids.get(call)
    if (callId !== undefined) renamed.push({ message, part, value: { ...value, callId } })
  }
  return renamed
}

function replaceParts(message: Message, changes: readonly RenamedPart[] | undefined): Message {
  if (changes === undefined) return message
  const content: Part[] = [...message.content]
  for (const { part, value } of changes) content[part] = value
  return markRepaired(message, duplicateCallIdRule.id, { content })
}

function findRepeatedCalls(messages: readonly Message[]): readonly PairedCall[] {
  return findRepeated(pairCalls(messages).calls, (call) => call.value.id)
}

function findUnansweredCalls(messages: readonly Message[]): readonly PairedCall[] {
  return pairCalls(messages).calls.filter(
    (call) => call.answer === undefined && call.value.executedBy === undefined,
  )
}

function createMissingResult({ value }: PairedCall): ToolResultPart {
  return {
    type: 'tool-result',
    callId: value.id,
    name: value.name,
    content: [{ type: 'text', text: MISSING_RESULT_TEXT }],
    isError: true,
    metadata: addRepairMark(ORPHAN_CALL_RULE_ID),
  }
}
