import type { Loss } from 'interlingua'
import { covers, leavesOf, mapLeaves, type Place, pointerTo, setOf } from './json-leaves.ts'

/** Fields of the application, and residue. */
const unsent: ReadonlySet<string | number> = setOf(
  'extra metadata createdAt parentId origin contentDigest rawArguments finish usage',
)
/** Enumerations of the model, and ids that pair a call with its result. */
const words: ReadonlySet<string | number> = setOf(
  'type role kind unit dialect provider vendor executedBy mediaType detail mode id callId',
  'ttl reason raw effort summary verbosity syntax',
)

/** Makes each text of the conversation unique; blank texts stay, since dialects may omit them. */
export function traced<T>(value: T): T {
  let next = 0
  return mapLeaves(value, (leaf, at) => {
    const skip = typeof leaf !== 'string' || leaf.trim() === '' || at.some((key) => unsent.has(key))
    if (skip || words.has(at.at(-1) ?? '') || at[0] === 'toolChoice' || at[0] === 'reasoning') return leaf
    if (at.at(-1) === 'name' && at.at(-2) === 'namespace') return leaf
    if (at.some((key) => key === 'input' || key === 'options' || key === 'schema' || key === 'value'))
      return leaf
    const mark = `m${String((next += 1)).padStart(4, '0')}q`
    return at.at(-1) === 'url' ? `https://example.org/${mark}` : mark
  }) as T
}

const isTrace = (value: unknown): value is string => typeof value === 'string' && /m\d{4}q$/.test(value)

/** Returns true if a loss names a path or one above it, except for the root. */
export function isNamed(losses: readonly Loss[], at: Place): boolean {
  return losses.some(({ path }) => path !== '' && path !== '/messages' && covers(path, pointerTo(at)))
}

const withoutExtra = (key: string | number): boolean => key !== 'extra'

/** The provider of a file id is an enumeration of the model, but one that a reader may replace by its own. */
const isFileProvider = (at: Place): boolean => at.at(-1) === 'provider' && at.at(-2) === 'source'

/** Lists the input texts that are neither in the output under their key nor named by a loss. */
export function vanished(given: unknown, back: unknown, losses: readonly Loss[]): readonly string[] {
  const found = new Set(
    leavesOf(back, withoutExtra).flatMap(({ at, value }) =>
      isTrace(value) || isFileProvider(at) ? [`${keyOf(at)} ${String(value)}`] : [],
    ),
  )
  return leavesOf(given, (key) => !unsent.has(key))
    .filter(
      ({ at, value }) =>
        (isTrace(value) || isFileProvider(at)) &&
        !found.has(`${keyOf(at)} ${String(value)}`) &&
        !isNamed(losses, at),
    )
    .map(({ at, value }) => `${pointerTo(at)} ${String(value)}`)
}

const keyOf = (at: Place): string | number => at.findLast((key) => typeof key === 'string') ?? ''
