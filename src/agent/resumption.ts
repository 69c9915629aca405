import { throwInvalid } from '../canonical/shape/shape.ts'
import { InterlinguaError } from '../errors.ts'
import { describeType, isObject } from '../wire/json.ts'
import { type NestedRun, type PausedRun, parsePausedRun } from './paused-run.ts'
import { type Decision, parseDecision } from './tools/decision.ts'
import { toInnerCallId } from './tools/nested-pause.ts'
import { toToolResult } from './tools/tool-output.ts'

/** Decisions about the calls of a paused run, by call id. */
export type Decisions = { readonly [callId: string]: Decision }

/** What an agent inside of a tool left open, and what has been decided about its calls. */
export interface NestedResumption extends NestedRun {
  readonly decisions: Decisions
}

/** A paused run, and what has been decided about its calls. */
export interface Resumption {
  readonly paused: PausedRun
  /** About the run's own calls, by their ids. */
  readonly decisions: ReadonlyMap<string, Decision>
  /** By the id of the call that the agent works for. */
  readonly nested: ReadonlyMap<string, NestedResumption>
}

/** A paused run that has been checked, with decisions about calls that it knows. */
export function createResumption(given: PausedRun, decisions: Decisions): Resumption {
  const paused = parsePausedRun(given)
  if (!isObject(decisions))
    throwInvalid('invalid-type', undefined, describeType(decisions), 'decisions by call id')
  const waiting = new Map(paused.pending.map((pending) => [pending.call.id, pending]))
  const own = new Map<string, Decision>()
  const inner = new Map<string, [string, Decision][]>()
  for (const [id, rawDecision] of Object.entries(decisions)) {
    const decision = parseDecision(rawDecision)
    if (decision === undefined) continue
    const pending = waiting.get(id)
    if (pending === undefined) throw unknownCallError([...waiting.keys()])
    // Output that cannot be said is told before something runs.
    if (typeof decision === 'object' && 'output' in decision) toToolResult(pending.call, decision.output)
    const { parentCallId } = pending
    if (parentCallId === undefined) own.set(id, decision)
    else
      inner.set(parentCallId, [
        ...(inner.get(parentCallId) ?? []),
        [toInnerCallId(id, parentCallId), decision],
      ])
  }
  const nested = Object.entries(paused.nestedRuns ?? {}).map(([id, run]): [string, NestedResumption] => [
    id,
    { ...run, decisions: Object.fromEntries(inner.get(id) ?? []) },
  ])
  return { paused, decisions: own, nested: new Map(nested) }
}

function unknownCallError(waiting: readonly string[]): InterlinguaError {
  return new InterlinguaError('unknown-id', 'A decision is about a call that does not wait for one', {
    found: 'the id of another call',
    expected: waiting.join(' or '),
    hint: 'Decide about the calls in `paused.pending`, by their ids.',
  })
}
