import { type Pair, type Subject, subjects } from './dialect-table.ts'

const isSoak = process.env['SOAK'] !== undefined

/** The recordings that a pair gets at least, or all of them if the dialect has fewer. */
const MIN_RECORDINGS = 10

/** The other dialects to which each handwritten body goes. */
const FIXTURE_TARGETS = 3

type Ends = Pick<Pair, 'from' | 'to'>

/**
 * Returns the recordings of a pair's source that a law runs on with its target. In a soak these are all. Otherwise
 * the targets share them, so that the work of a law does not grow with the number of pairs: each recording goes to
 * at least one other dialect, and each pair gets at least about `MIN_RECORDINGS`. Neighbors in the list are
 * similar and go to different targets.
 */
export function shareOf<T>({ from, to }: Ends, recordings: readonly T[]): readonly T[] {
  return from === to ? recordings : selectShare(recordings, placeOf(from, to), subjects.length - 1)
}

/** Returns the dialects with which a law runs on a recording of `from`, selected as `shareOf` does. */
export function sharedTargets(
  from: Subject,
  recordings: readonly unknown[],
  index: number,
): readonly Subject[] {
  const targets = targetsOf(from)
  const copies = countCopies(recordings.length, targets.length)
  return targets.filter((_, place) => isShared(index, place, targets.length, copies))
}

/** Returns the handwritten bodies of a pair: each goes to `FIXTURE_TARGETS` other dialects, in a soak to all. */
export function shareOfFixtures<T>({ from, to }: Ends, fixtures: readonly T[]): readonly T[] {
  if (from === to) return fixtures
  const place = placeOf(from, to)
  return fixtures.filter((_, index) => isShared(index, place, subjects.length - 1, FIXTURE_TARGETS))
}

/** Returns the share of one of several targets; exported for its test. */
export function selectShare<T>(recordings: readonly T[], place: number, targetCount: number): readonly T[] {
  const copies = countCopies(recordings.length, targetCount)
  return recordings.filter((_, index) => isShared(index, place, targetCount, copies))
}

/** Returns the number of targets of each recording. */
const countCopies = (recordingCount: number, targetCount: number): number =>
  Math.ceil((MIN_RECORDINGS * targetCount) / recordingCount)

const isShared = (index: number, place: number, targetCount: number, copies: number): boolean =>
  isSoak || (index + place) % targetCount < copies

const targetsOf = (from: Subject): readonly Subject[] => subjects.filter((subject) => subject !== from)
const placeOf = (from: Subject, to: Subject): number => targetsOf(from).indexOf(to)
