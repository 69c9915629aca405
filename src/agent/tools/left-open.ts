import type { ToolCallPart } from '../../canonical/model/part.ts'
import type { NestedRun, PendingCall } from '../paused.ts'
import { outerId } from '../resumption.ts'

/** What a tool gives whose agent waits for the caller. A class of its own, so that no output can be taken for it. */
export class LeftOpen {
  readonly run: NestedRun

  constructor(run: NestedRun) {
    this.run = run
  }
}

/** The calls that wait inside of a call, under ids that are unlike those of other calls. */
export function pendingInside(
  { id: parentCallId }: ToolCallPart,
  { run }: NestedRun,
): readonly PendingCall[] {
  return run.pending.map(({ call, waitsFor }) => ({
    call: { ...call, id: outerId(call.id, parentCallId) },
    waitsFor,
    parentCallId,
  }))
}
