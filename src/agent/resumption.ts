import { throwInvalid } from '../canonical/shape/shape.ts'
import { InterlinguaError } from '../errors.ts'
import { describeType, isObject } from '../wire/json.ts'
import { checkPendingCalls } from './check-pending-calls.ts'
import { type NestedRun, type PausedRun, parsePausedRun } from './paused-run.ts'
import { type Decision, parseDecision } from './tools/decision.ts'
import { toInnerCallId } from './tools/nested-pause.ts'
import { toToolResult } from './tools/tool-output.ts'

/** Decisions about the calls of a paused run, by call id. */
export type Decisions = { readonly [callId: string]: Decision }

/** A paused nested run with the decisions about its calls. */
export interface NestedResumption extends NestedRun {
  readonly decisions: Decisions
}

/** A paused run with the decisions about its calls. */
export interface Resumption {
  readonly paused: PausedRun
  /** Decisions about the run's own calls, by call id. */
  readonly decisions: ReadonlyMap<string, Decision>
  /** Nested runs, by the id of the tool call that runs the agent. */
  readonly nested: ReadonlyMap<string, NestedResumption>
}

/** Validates a paused run and the decisions, and assigns each decision to the run it belongs to. */
export function createResumption(stored: PausedRun, decisions: Decisions): Resumption {
  const paused = parsePausedRun(stored)
  checkPendingCalls(paused)
  if (!isObject(decisions))
    throwInvalid('invalid-type', undefined, describeType(decisions), 'decisions by call id')
  const pendingCalls = new Map(paused.pending.map((pending) => [pending.call.id, pending]))
  const own = new Map<string, Decision>()
  const inner = new Map<string, [string, Decision][]>()
  for (const [id, rawDecision] of Object.entries(decisions)) {
    const decision = parseDecision(rawDecision)
    if (decision === undefined) continue
    const pending = pendingCalls.get(id)
    if (pending === undefined) throw unknownCallError([...pendingCalls.keys()])
    // Output that is not JSON is rejected before any tool runs.
    if (typeof decision === 'object' && 'output' in decision) toToolResult(pending.call, decision.output)
    const { parentCallId: parent } = pending
    if (parent === undefined) own.set(id, decision)
    else inner.set(parent, [...(inner.get(parent) ?? []), [toInnerCallId(id, parent), decision]])
  }
  const nested = Object.entries(paused.nestedRuns ?? {}).map(([id, run]): [string, NestedResumption] => [
    id,
    { ...run, decisions: Object.fromEntries(inner.get(id) ?? []) },
  ])
  return { paused, decisions: own, nested: new Map(nested) }
}

function unknownCallError(pendingCalls: readonly string[]): InterlinguaError {
  return new InterlinguaError('unknown-id', 'A decision refers to a tool call that is not pending', {
    found: 'an unknown call id',
    expected: pendingCalls.join(' or '),
    hint: 'Use the call ids in `paused.pending` as keys of the decisions.',
  })
}
