import { type Pair, type Subject, subjects } from './dialect-table.ts'

const isSoak = process.env['SOAK'] !== undefined

/** True if each recording goes to at least one other dialect; otherwise only so many do that each pair has enough. */
export const usesAllRecordings: boolean = isSoak || process.env['RECORDINGS'] === 'all'

/** The recordings that a pair gets at least, or all of them if the dialect has fewer. */
const MIN_RECORDINGS = 10

/** The other dialects to which each handwritten body goes. */
const FIXTURE_TARGETS = 3

type Ends = Pick<Pair, 'from' | 'to'>

/**
 * Returns the recordings of a pair's source that a law runs on with its target. In a soak these are all. Otherwise
 * the targets share them, so that the work of a law does not grow with the number of pairs: each pair gets at least
 * about `MIN_RECORDINGS`, and with `RECORDINGS=all` each recording goes to at least one other dialect. Without it, a
 * long list is sampled evenly. Neighbors in the list are similar and go to different targets.
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
  const sample = sampleOf(recordings.length, targets.length)
  return targets.filter((_, place) => isSampled(index, place, targets.length, sample))
}

/** Returns the handwritten bodies of a pair: each goes to `FIXTURE_TARGETS` other dialects, in a soak to all. */
export function shareOfFixtures<T>({ from, to }: Ends, fixtures: readonly T[]): readonly T[] {
  if (from === to) return fixtures
  const place = placeOf(from, to)
  return fixtures.filter((_, index) => isShared(index, place, subjects.length - 1, FIXTURE_TARGETS))
}

/** About how many recordings of a dialect a law uses. Only exact round trips are always tested with all of them. */
const SAMPLE_SIZE = 40

/** Samples the recordings of a dialect evenly; with `RECORDINGS=all` and in a soak it returns all of them. */
export function sampleRecordings<T>(recordings: readonly T[]): readonly T[] {
  const stride = usesAllRecordings ? 1 : Math.max(1, Math.floor(recordings.length / SAMPLE_SIZE))
  return recordings.filter((_, index) => index % stride === 0)
}

/** Returns the share of one of several targets; exported for its test. */
export function selectShare<T>(
  recordings: readonly T[],
  place: number,
  targetCount: number,
  sharesAll: boolean = usesAllRecordings,
): readonly T[] {
  const sample = sampleOf(recordings.length, targetCount, sharesAll)
  return recordings.filter((_, index) => isSampled(index, place, targetCount, sample))
}

/** Every how many recordings one is used, and for how many targets. */
interface Sample {
  readonly stride: number
  readonly copies: number
}

function sampleOf(recordingCount: number, targetCount: number, sharesAll = usesAllRecordings): Sample {
  const needed = MIN_RECORDINGS * targetCount
  const stride = sharesAll ? 1 : Math.max(1, Math.floor(recordingCount / needed))
  return { stride, copies: Math.ceil((needed * stride) / recordingCount) }
}

const isSampled = (index: number, place: number, targetCount: number, { stride, copies }: Sample): boolean =>
  isSoak || (index % stride === 0 && isShared(index / stride, place, targetCount, copies))

const isShared = (index: number, place: number, targetCount: number, copies: number): boolean =>
  isSoak || (index + place) % targetCount < copies

const targetsOf = (from: Subject): readonly Subject[] => subjects.filter((subject) => subject !== from)
const placeOf = (from: Subject, to: Subject): number => targetsOf(from).indexOf(to)
