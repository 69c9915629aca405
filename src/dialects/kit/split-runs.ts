import type { Part } from '../../canonical/model/part.ts'

/** Consecutive parts of one wire message that form one canonical message. */
interface PartRun {
  readonly role: 'user' | 'tool'
  readonly start: number
  readonly end: number
}

/**
 * Splits the parts of a message of the user into tool results and other content, in their order. A part that is not understood
 * belongs to the part before it.
 */
export function splitRuns(parts: readonly Part[]): readonly PartRun[] {
  const runs: PartRun[] = []
  let start = 0
  let role: PartRun['role'] | undefined
  for (const [index, { type }] of parts.entries()) {
    const partRole = type === 'opaque' ? role : type === 'tool-result' ? 'tool' : 'user'
    if (role !== undefined && partRole !== role) {
      runs.push({ role, start, end: index })
      start = index
    }
    role = partRole ?? 'user'
  }
  return [...runs, { role: role ?? 'user', start, end: parts.length }]
}
