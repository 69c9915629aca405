import type { Loss } from 'interlingua'
import { covers, leavesOf, mapLeaves, type Place, pointerTo, setOf } from './json-leaves.ts'

/** The application's own, and what is kept beside the fields. */
const unsent: ReadonlySet<string | number> = setOf(
  'extra metadata createdAt parentId origin of rawArguments finish usage',
)
/** Words of the model, and ids that join a call and its result. */
const words: ReadonlySet<string | number> = setOf(
  'type role kind unit dialect provider vendor executedBy mediaType detail mode id callId',
  'ttl reason raw effort summary',
)

/** Each text of the conversation like no other; blank ones stay, since they may be refused. */
export function traced<T>(value: T): T {
  let next = 0
  return mapLeaves(value, (leaf, at) => {
    const skip = typeof leaf !== 'string' || leaf.trim() === '' || at.some((key) => unsent.has(key))
    if (skip || words.has(at.at(-1) ?? '') || at[0] === 'toolChoice' || at[0] === 'reasoning') return leaf
    if (at.some((key) => key === 'input' || key === 'options' || key === 'schema' || key === 'value'))
      return leaf
    const mark = `m${String((next += 1)).padStart(4, '0')}q`
    return at.at(-1) === 'url' ? `https://example.org/${mark}` : mark
  }) as T
}

const isTrace = (value: unknown): value is string => typeof value === 'string' && /m\d{4}q$/.test(value)

/** Whether a loss names a place or something around it, short of the whole. */
export function isNamed(losses: readonly Loss[], at: Place): boolean {
  return losses.some(({ path }) => path !== '' && path !== '/messages' && covers(path, pointerTo(at)))
}

const withoutExtra = (key: string | number): boolean => key !== 'extra'

/** The texts that went in, and neither came out under their own key nor were named by a loss. */
export function vanished(given: unknown, back: unknown, losses: readonly Loss[]): readonly string[] {
  const found = new Set(
    leavesOf(back, withoutExtra).flatMap(({ at, value }) =>
      isTrace(value) ? [`${keyOf(at)} ${value}`] : [],
    ),
  )
  return leavesOf(given, (key) => !unsent.has(key))
    .filter(
      ({ at, value }) =>
        isTrace(value) && !found.has(`${keyOf(at)} ${String(value)}`) && !isNamed(losses, at),
    )
    .map(({ at, value }) => `${pointerTo(at)} ${String(value)}`)
}

const keyOf = (at: Place): string | number => at.findLast((key) => typeof key === 'string') ?? ''
