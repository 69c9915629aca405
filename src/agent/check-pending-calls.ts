import type { ToolCallPart } from '../canonical/model/part.ts'
import { throwInvalid } from '../canonical/shape/shape.ts'
import { stripExtra } from '../canonical/update/strip-extra.ts'
import { type Json, stableStringify } from '../wire/json.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import { applicationCallsOf } from './assistant-content.ts'
import type { PausedRun } from './paused-run.ts'
import { listNestedPendingCalls } from './tools/nested-pause.ts'

/**
 * Checks that every pending call of a paused run is a call that would run: the caller decides about what `pending`
 * shows, but the calls of the message are executed. Nested runs are checked, too.
 */
export function checkPendingCalls(paused: PausedRun, path?: Path): void {
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
