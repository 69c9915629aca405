import type { Message } from '../model/message.ts'
import type { Part, ToolResultPart } from '../model/part.ts'
import { addResults, groupBy, pathTo } from './edit.ts'
import { markOf, ORPHAN_CALL, touched } from './mark.ts'
import { freeNames, repeated } from './names.ts'
import { type Call, pairCalls, snapshot } from './pairing.ts'
import type { Rule } from './rule.ts'

/** What answers a call that nobody answered. */
export const NO_RESULT = 'No result was recorded for this call.'

/** A call that the application was to run, without a result: it gets an error result, so that a provider takes it. */
export const orphanCall: Rule = {
  id: ORPHAN_CALL,
  severity: 'error',
  summary: 'Every call that the application runs has a result.',
  check: (messages) =>
    unanswered(messages).map((call) => ({ path: pathTo(call), message: 'No result answers this call' })),
  repair: (messages, report) => {
    const calls = unanswered(messages)
    if (calls.length === 0) return messages
    for (const call of calls) report({ rule: ORPHAN_CALL, action: 'added', path: pathTo(call) })
    const rounds = groupBy(calls, (call) => call.message)
    const results = Array.from(rounds, ([host, round]) => [host, round.map(missingResult)] as const)
    return addResults({ rule: ORPHAN_CALL, messages, report }, new Map(results))
  },
}

/** A call with the id of one before it: the later one gets the first free `<id>_2`, and its results follow. */
export const duplicateCallId: Rule = {
  id: 'duplicate-call-id',
  severity: 'error',
  summary: 'Every tool call has an id of its own.',
  check: (messages) =>
    repeatedCalls(messages).map((call) => ({
      path: pathTo(call),
      message: 'An earlier tool call has the same id',
    })),
  repair: (messages, report) => {
    const renamed = rename(messages)
    if (renamed.length === 0) return messages
    for (const place of renamed) report({ rule: duplicateCallId.id, action: 'renamed', path: pathTo(place) })
    const changes = groupBy(renamed, ({ message }) => message)
    return snapshot(messages.map((message, index) => withParts(message, changes.get(index))))
  },
}

interface Renamed {
  readonly message: number
  readonly part: number
  readonly value: Part
}

/** The repeated calls under free ids, and all results that belong to them. */
function rename(messages: readonly Message[]): readonly Renamed[] {
  const { calls, results } = pairCalls(messages)
  const taken = [...calls.map(({ value }) => value.id), ...results.map(({ value }) => value.callId)]
  const freeId = freeNames(new Set(taken))
  const ids = new Map(repeatedCalls(messages).map((call) => [call, freeId(call.value.id)]))
  const renamed: Renamed[] = []
  for (const [{ message, part, value }, id] of ids) renamed.push({ message, part, value: { ...value, id } })
  for (const { message, part, value, call } of results) {
    const callId = call && ids.get(call)
    if (callId !== undefined) renamed.push({ message, part, value: { ...value, callId } })
  }
  return renamed
}

function withParts(message: Message, changes: readonly Renamed[] | undefined): Message {
  if (changes === undefined) return message
  const content: Part[] = [...message.content]
  for (const { part, value } of changes) content[part] = value
  return touched(message, duplicateCallId.id, { content })
}

function repeatedCalls(messages: readonly Message[]): readonly Call[] {
  return repeated(pairCalls(messages).calls, (call) => call.value.id)
}

function unanswered(messages: readonly Message[]): readonly Call[] {
  return pairCalls(messages).calls.filter(
    (call) => call.answer === undefined && call.value.executedBy === undefined,
  )
}

function missingResult({ value }: Call): ToolResultPart {
  return {
    type: 'tool-result',
    callId: value.id,
    name: value.name,
    content: [{ type: 'text', text: NO_RESULT }],
    isError: true,
    metadata: markOf(ORPHAN_CALL),
  }
}
