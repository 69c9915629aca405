import { throwInvalid } from '../canonical/shape/shape.ts'
import { InterlinguaError } from '../errors.ts'
import { describeType, isObject, type Json, stableStringify } from '../wire/json.ts'
import { type NestedRun, parsePausedRun, type PausedRun } from './paused-run.ts'
import { type Decision, parseDecision } from './tools/decision.ts'
import { listNestedPendingCalls, toInnerCallId } from './tools/nested-pause.ts'
import { toToolResult } from './tools/tool-output.ts'
import type { ToolCallPart } from '../canonical/model/part.ts'
import { stripExtra } from '../canonical/update/strip-extra.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import { applicationCallsOf } from './assistant-content.ts'

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

/**
 * Checks that every pending call of a paused run is a call that would run: the caller decides about what `pending`
 * shows, but the calls of the message are executed. Nested runs are checked, too.
 */
function checkPendingCalls(paused: PausedRun, path?: Path): void {
  const own = new Map(applicationCallsOf(paused.message).map((call) => [call.id, describeCall(call)]))
  const nested = new Map<string, string>()
  for (const [id, nestedRun] of Object.entries(paused.nestedRuns ?? {})) {
    const at = child(child(child(path, 'nestedRuns'), id), 'run')
    const parent = applicationCallsOf(paused.message).find((call) => call.id === id)
    if (parent === undefined)
      throwInvalid('invalid-value', at, 'a run of another call', 'a call of the message')
    checkPendingCalls(nestedRun.run, at)
    for (const { call } of listNestedPendingCalls(parent, nestedRun)) nested.set(call.id, describeCall(call))
  }
  for (const [index, { call, parentCallId }] of paused.pending.entries()) {
    const known = (parentCallId === undefined ? own : nested).get(call.id)
    if (known === describeCall(call)) continue
    throwInvalid(
      'invalid-value',
      child(child(child(path, 'pending'), index), 'call'),
      'a call that differs from the one that would run',
      'a call of the message with the same id, name and arguments',
      'Store paused runs where users cannot change them.',
    )
  }
}

/** Returns everything about a call that is shown to the person who decides. */
function describeCall(call: ToolCallPart): string {
  return stableStringify(stripExtra(call) as unknown as Json)
}
