import type { Message } from '../model/message.ts'
import type { Part, ToolResultPart } from '../model/part.ts'
import { addResults, describeResults, groupBy, toMessagePath, moveResults } from './repair-results.ts'
import { addRepairMark, ORPHAN_CALL_RULE_ID, markRepaired } from './repair-marks.ts'
import { createUniqueNames, findRepeated } from '../../wire/unique-names.ts'
import type { PairedCall, PairedResult } from './call-matcher.ts'
import { type CallPairing, pairCalls, snapshotMessages } from './call-pairing.ts'
import { createMissingResult } from './result-text.ts'
import type { Rule } from './rule.ts'

/** A condition that tool results must meet. */
interface ResultCondition {
  readonly id: string
  readonly summary: string
  readonly message: string
  readonly isBroken: (result: PairedResult, pairing: CallPairing) => boolean
}

const ORPHAN_RESULT: ResultCondition = {
  id: 'orphan-result',
  summary: 'Every result in a tool message has a call that the application runs.',
  message: 'No call that the application runs has the id of this result',
  isBroken: (result) => result.kind === 'orphan',
}

const DUPLICATE_RESULT: ResultCondition = {
  id: 'duplicate-result',
  summary: 'Every tool call has at most one result.',
  message: 'The call of this result has another result',
  isBroken: (result) => result.kind === 'extra',
}

const POSITION_CONDITIONS: readonly ResultCondition[] = [
  {
    id: 'result-before-call',
    summary: 'A tool result follows its call.',
    message: 'The result precedes its call',
    isBroken: (result) => result.kind === 'early',
  },
  {
    id: 'misplaced-result',
    summary: 'The result of a call that the application runs is in a tool message.',
    message: 'The result is in an assistant message, but the provider did not run its call',
    isBroken: (result) => result.kind === 'answer' && result.isInline,
  },
  {
    id: 'late-result',
    summary: 'Only other results of the same message separate a call from its result.',
    message: 'Another message separates the result from its call',
    isBroken: ({ kind, isInline, message, call }, { rounds }) =>
      kind === 'answer' && !isInline && rounds.get(message) !== call?.message,
  },
]

/**
 * The rules about results that answer no call. Either repairs both kinds, so that the results of one message become one
 * user message. They come before the rules that change ids, so that no renamed call takes such a result.
 */
export const unpairedResultRules: readonly Rule[] = [ORPHAN_RESULT, DUPLICATE_RESULT].map((condition) =>
  createResultRule(condition, (messages, report) => {
    const isUnpaired = ({ kind }: PairedResult): boolean => kind === 'orphan' || kind === 'extra'
    const ruleOf = ({ kind }: PairedResult): string =>
      (kind === 'orphan' ? ORPHAN_RESULT : DUPLICATE_RESULT).id
    const results = findResults(messages, isUnpaired)
    return results.length === 0 ? messages : describeResults(messages, results, ruleOf, report)
  }),
)

/** The rules about the position of results, in the order of their repairs. */
export const resultPositionRules: readonly Rule[] = POSITION_CONDITIONS.map((condition) =>
  createResultRule(condition, (messages, report) => {
    const results = findResults(messages, condition.isBroken)
    return results.length === 0 ? messages : moveResults({ rule: condition.id, messages, report }, results)
  }),
)

function createResultRule(condition: ResultCondition, repair: Rule['repair']): Rule {
  const { id, summary, message, isBroken } = condition
  return {
    id,
    severity: 'error',
    summary,
    check: (messages) =>
      findResults(messages, isBroken).map((result) => ({ path: toMessagePath(result), message })),
    repair,
  }
}

function findResults(
  messages: readonly Message[],
  isBroken: ResultCondition['isBroken'],
): readonly PairedResult[] {
  const pairing = pairCalls(messages)
  return pairing.results.filter((result) => !isProviderResult(result) && isBroken(result, pairing))
}

/** Returns true for a result of a provider-executed call; its position, number and call are not checked. */
function isProviderResult({ isInline, call }: PairedResult): boolean {
  return isInline && (call === undefined || call.value.executedBy === 'provider')
}

/**
 * Adds an error result for each call of the application without a result: providers reject a call without
 * one.
 */
export const orphanCallRule: Rule = {
  id: ORPHAN_CALL_RULE_ID,
  severity: 'error',
  summary: 'Every call that the application runs has a result.',
  check: (messages) =>
    findUnansweredCalls(messages).map((call) => ({
      path: toMessagePath(call),
      message: 'The call has no result',
    })),
  repair: (messages, report) => {
    const calls = findUnansweredCalls(messages)
    if (calls.length === 0) return messages
    for (const call of calls)
      report({ rule: ORPHAN_CALL_RULE_ID, action: 'added', path: toMessagePath(call) })
    const rounds = groupBy(calls, (call) => call.message)
    const results = Array.from(rounds, ([host, round]) => [host, round.map(createMarkedResult)] as const)
    return addResults({ rule: ORPHAN_CALL_RULE_ID, messages, report }, new Map(results))
  },
}

/**
 * Renames calls with the id of an earlier call to the first unused `<id>_2`, `<id>_3`…, together with their
 * results.
 */
export const duplicateCallIdRule: Rule = {
  id: 'duplicate-call-id',
  severity: 'error',
  summary: 'Every tool call has a unique id.',
  check: (messages) =>
    findRepeatedCalls(pairCalls(messages).calls).map((call) => ({
      path: toMessagePath(call),
      message: 'An earlier tool call has the same id',
    })),
  repair: (messages, report) => {
    const renamed = renameRepeatedCalls(messages)
    if (renamed.length === 0) return messages
    for (const part of renamed)
      report({ rule: duplicateCallIdRule.id, action: 'renamed', path: toMessagePath(part) })
    const changes = groupBy(renamed, ({ message }) => message)
    return snapshotMessages(messages.map((message, index) => replaceParts(message, changes.get(index))))
  },
}

interface RenamedPart {
  readonly message: number
  readonly part: number
  readonly value: Part
}

/** Returns the repeated calls with unused ids, and the results that belong to them. */
function renameRepeatedCalls(messages: readonly Message[]): readonly RenamedPart[] {
  const { calls, results } = pairCalls(messages)
  const taken = [...calls.map(({ value }) => value.id), ...results.map(({ value }) => value.callId)]
  const uniqueId = createUniqueNames(new Set(taken))
  const ids = new Map(findRepeatedCalls(calls).map((call) => [call, uniqueId(call.value.id)]))
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

function findRepeatedCalls(calls: readonly PairedCall[]): readonly PairedCall[] {
  return findRepeated(calls, (call) => call.value.id)
}

function findUnansweredCalls(messages: readonly Message[]): readonly PairedCall[] {
  return pairCalls(messages).calls.filter(
    (call) => call.answer === undefined && call.value.executedBy === undefined,
  )
}

function createMarkedResult({ value }: PairedCall): ToolResultPart {
  return { ...createMissingResult(value, value.id), metadata: addRepairMark(ORPHAN_CALL_RULE_ID) }
}
