import type { Message } from '../model/message.ts'
import type { Part } from '../model/part.ts'
import { createUniqueNamer, findRepeatedByName } from '../../wire/unique-names.ts'
import type { PairedResult } from './call-matcher.ts'
import { type CallPairing, pairCalls, snapshotMessages } from './call-pairing.ts'
import { ORPHAN_CALL_RULE_ID, markRepaired } from './repair-marks.ts'
import {
  addResultsForOpenCalls,
  replaceUnpairedResults,
  groupBy,
  moveResultsBehindCalls,
} from './repair-results.ts'
import { createValidationRule, type MessagePosition, type Rule } from './validation-rule.ts'

type ResultTest = (result: PairedResult, pairing: CallPairing) => boolean

/** A condition that tool results must meet. */
interface ResultCondition {
  readonly id: string
  readonly summary: string
  readonly problem: string
  readonly isBroken: ResultTest
}

const ORPHAN_RESULT: ResultCondition = {
  id: 'orphan-result',
  summary: 'Every result in a tool message has a call that the application runs.',
  problem: 'No call that the application runs has the id of this result',
  isBroken: (result) => result.kind === 'orphan',
}

const DUPLICATE_RESULT: ResultCondition = {
  id: 'duplicate-result',
  summary: 'Every tool call has at most one result.',
  problem: 'The call of this result has another result',
  isBroken: (result) => result.kind === 'extra',
}

const POSITION_CONDITIONS: readonly ResultCondition[] = [
  {
    id: 'result-before-call',
    summary: 'A tool result follows its call.',
    problem: 'The result precedes its call',
    isBroken: (result) => result.kind === 'early',
  },
  {
    id: 'misplaced-result',
    summary: 'The result of a call that the application runs is in a tool message.',
    problem: 'The result is in an assistant message, but the provider did not run its call',
    isBroken: (result) => result.kind === 'answer' && result.isInline,
  },
  {
    id: 'late-result',
    summary: 'Only other results of the same message separate a call from its result.',
    problem: 'Another message separates the result from its call',
    isBroken: ({ kind, isInline, message, call }, { rounds }) =>
      kind === 'answer' && !isInline && rounds.get(message) !== call?.message,
  },
]

/** Either repairs both kinds, before the rules that change ids, so that no renamed call takes such a result. */
const unpairedResultRules = [ORPHAN_RESULT, DUPLICATE_RESULT].map(({ isBroken, ...condition }) =>
  createValidationRule<PairedResult>({
    ...condition,
    severity: 'error',
    find: (messages) => findResults(messages, isBroken),
    findRepairable: (messages) => findResults(messages, ({ kind }) => kind === 'orphan' || kind === 'extra'),
    repair: (context, results) =>
      replaceUnpairedResults(context, results, ({ kind }) =>
        kind === 'orphan' ? ORPHAN_RESULT.id : DUPLICATE_RESULT.id,
      ),
  }),
)

/** The rules about the position of results, in the order of their repairs. */
const resultPositionRules = POSITION_CONDITIONS.map(({ isBroken, ...condition }) =>
  createValidationRule<PairedResult>({
    ...condition,
    severity: 'error',
    find: (messages) => findResults(messages, isBroken),
    repair: moveResultsBehindCalls,
  }),
)

function findResults(messages: readonly Message[], isBroken: ResultTest): readonly PairedResult[] {
  const pairing = pairCalls(messages)
  return pairing.results.filter((result) => !isProviderResult(result) && isBroken(result, pairing))
}

/** Returns true for a result of a provider-executed call; its position, number and call are not checked. */
function isProviderResult({ isInline, call }: PairedResult): boolean {
  return isInline && (call === undefined || call.value.executedBy === 'provider')
}

/** Adds an error result for each call of the application without one, which providers reject. */
const orphanCallRule = createValidationRule({
  id: ORPHAN_CALL_RULE_ID,
  severity: 'error',
  summary: 'Every call that the application runs has a result.',
  problem: 'The call has no result',
  find: (messages) =>
    pairCalls(messages).calls.filter(
      ({ answer, value }) => answer === undefined && value.executedBy === undefined,
    ),
  repair: (context, calls) => {
    for (const call of calls) context.report('added', call)
    return addResultsForOpenCalls(context, calls)
  },
})

/** Renames calls with the id of an earlier call to the first unused `<id>_2`, `<id>_3`…, with their results. */
const duplicateCallIdRule = createValidationRule({
  id: 'duplicate-call-id',
  severity: 'error',
  summary: 'Every tool call has a unique id.',
  problem: 'An earlier tool call has the same id',
  find: (messages) => findRepeatedByName(pairCalls(messages).calls, (call) => call.value.id),
  repair: ({ rule, messages, report }) => {
    const renamed = renameRepeatedCalls(messages)
    for (const part of renamed) report('renamed', part)
    const changes = groupBy(renamed, ({ message }) => message)
    return snapshotMessages(
      messages.map((message, index) => {
        const changed = changes.get(index)
        if (changed === undefined) return message
        const content: Part[] = [...message.content]
        for (const { part, value } of changed) content[part] = value
        return markRepaired(message, rule, { content })
      }),
    )
  },
})

/** The rules about tool calls and results, in the order of their repairs. */
export const toolValidationRules: readonly Rule[] = [
  ...unpairedResultRules,
  duplicateCallIdRule,
  ...resultPositionRules,
  orphanCallRule,
]

type RenamedPart = Required<MessagePosition> & { readonly value: Part }

/** Returns the repeated calls with unused ids, and the results that belong to them. */
function renameRepeatedCalls(messages: readonly Message[]): readonly RenamedPart[] {
  const { calls, results } = pairCalls(messages)
  const taken = [...calls.map(({ value }) => value.id), ...results.map(({ value }) => value.callId)]
  const uniqueId = createUniqueNamer(new Set(taken))
  const repeated = findRepeatedByName(calls, (call) => call.value.id)
  const ids = new Map(repeated.map((call) => [call, uniqueId(call.value.id)]))
  const renamed: RenamedPart[] = []
  for (const [{ message, part, value }, id] of ids) renamed.push({ message, part, value: { ...value, id } })
  for (const { message, part, value, call } of results) {
    const callId = call && ids.get(call)
    if (callId !== undefined) renamed.push({ message, part, value: { ...value, callId } })
  }
  return renamed
}
