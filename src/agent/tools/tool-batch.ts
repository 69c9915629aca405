import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { NestedRun, PendingCall } from '../paused-run.ts'
import type { NestedResumption } from '../resumption.ts'
import type { Decision } from './decision.ts'
import { listNestedPendingCalls } from './nested-pause.ts'

/** What is known about a batch before it runs. */
export interface ToolBatchOptions {
  /** Results that are there already, by call id: these calls are not run. */
  readonly knownResults?: ReadonlyMap<string, ToolResultPart>
  /** Calls that must not run, by id, with what the model is told of each. */
  readonly blockedCalls?: ReadonlyMap<string, string>
  /** Decisions that have been made, by call id. */
  readonly decisions?: ReadonlyMap<string, Decision>
  /** What agents inside of tools left open, by call id: these calls were allowed, and go on. */
  readonly nested?: ReadonlyMap<string, NestedResumption>
  /** Told each new result as soon as it is there. */
  readonly onResult?: (result: ToolResultPart) => void
}

/** What became of a batch. */
export interface ToolBatchResult {
  /** The results that are there, in the order of the calls. */
  readonly results: readonly ToolResultPart[]
  /** The calls that wait for the caller. */
  readonly pending: readonly PendingCall[]
  /** What agents inside of tools left open, by call id: their calls wait among the others. */
  readonly nested: ReadonlyMap<string, NestedRun>
}

/** What became of one call. */
export type CallOutcome =
  | ToolResultPart
  | PendingCall
  | { readonly call: ToolCallPart; readonly nested: NestedRun }

/** What became of all calls, sorted by what is to be done about them. */
export function groupOutcomes(outcomes: readonly CallOutcome[]): ToolBatchResult {
  const results = outcomes.filter((each) => 'type' in each)
  const nested = outcomes.filter((each) => 'nested' in each)
  const waiting = outcomes.filter((each) => 'waitsFor' in each)
  const inside = nested.flatMap((each) => listNestedPendingCalls(each.call, each.nested))
  // Should ids be alike after all, then what is decided is about the first: the other waits until that is done.
  const byId = new Map([...waiting, ...inside].toReversed().map((each) => [each.call.id, each]))
  return {
    results,
    pending: [...waiting, ...inside].filter((each) => byId.get(each.call.id) === each),
    nested: new Map(nested.map((each) => [each.call.id, each.nested])),
  }
}
