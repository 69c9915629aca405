import { InterlinguaError } from '../errors.ts'
import { type PausedRun, readPaused } from './paused.ts'
import { type Decision, readDecision } from './tools/decision.ts'

/** Decisions about the calls of a paused run, by call id. */
export type Decisions = { readonly [callId: string]: Decision }

/** A paused run, and what has been decided about its calls. */
export interface Resumption {
  readonly paused: PausedRun
  readonly decisions: ReadonlyMap<string, Decision>
}

/** A paused run that has been checked, with decisions about calls that it knows. */
export function resumption(given: PausedRun, decisions: Decisions): Resumption {
  const paused = readPaused(given)
  const waiting = new Set(paused.pending.map(({ call }) => call.id))
  const made = new Map(
    Object.entries(decisions).flatMap(([id, given]): [string, Decision][] => {
      const decision = readDecision(given)
      return decision === undefined ? [] : [[id, decision]]
    }),
  )
  const unknown = [...made.keys()].find((id) => !waiting.has(id))
  if (unknown !== undefined) {
    throw new InterlinguaError('unknown-id', 'A decision is about a call that does not wait for one', {
      found: 'the id of another call',
      expected: [...waiting].join(' or '),
      hint: 'Decide about the calls in `paused.pending`, by their ids.',
    })
  }
  return { paused, decisions: made }
}
