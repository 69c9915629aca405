import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Exponents above this are more than linear: sorting has 1.1, quadratic work has 2. */
const MAX_EXPONENT = 1.2

/** Work on an input that was built before, so that only the work is measured. */
interface PreparedWork {
  readonly run: () => unknown
  /** Linear work on the same input: what its growth exceeds 1 by is due to the machine, not to the code. */
  readonly runReference: () => unknown
}

/** Prepares the work of one size; undefined if the input is refused, or too large for a test. */
export type WorkOfSize = (size: number) => Promise<PreparedWork | undefined>

interface Sampling {
  readonly start: number
  readonly step: number
  readonly maxSize: number
  /** Sizes grow until one takes longer, and there are enough points for a slope. */
  readonly enoughMs: number
  readonly minPoints: number
  readonly rounds: number
  /** The exponent is that of the last points. */
  readonly points: number
}

/** A quick look, which finds suspects. */
const SCREENING: Sampling = {
  start: 1000,
  step: 4,
  maxSize: 64_000,
  enoughMs: 12,
  minPoints: 2,
  rounds: 1,
  points: 2,
}

/** The same sizes again: most suspects were disturbed by the compiler or by the garbage collection. */
const SECOND_LOOK: Sampling = { ...SCREENING, rounds: 3 }

/** A thorough look at a suspect: larger sizes, and the fastest of several runs. The slope must hold without any one point. */
const CONFIRMATION: Sampling = {
  start: 1000,
  step: 2,
  maxSize: 256_000,
  enoughMs: 150,
  minPoints: 3,
  rounds: 3,
  points: 5,
}

/** How many thorough looks with the same outcome decide: a machine that is busy otherwise disturbs some of the times. */
const MAJORITY = 2

/** Shorter times contain more noise than work. */
const MIN_MS = 1

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void
/** Frees what nothing refers to. */
export const collectGarbage = (): void => gc()
/** Frees the young generation, so that no collection interrupts the next run. */
const clearYoungGeneration = (): void => gc({ type: 'minor' })

/** Returns the processor time of a function in milliseconds: other programs of the machine do not count. */
export async function measureMs(work: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  const result = work()
  if (result instanceof Promise) await result
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

interface Point {
  readonly size: number
  readonly ms: number
  readonly referenceMs: number
}

async function sample(workOfSize: WorkOfSize, sampling: Sampling): Promise<readonly Point[]> {
  const points: Point[] = []
  for (let size = sampling.start; size <= sampling.maxSize; size *= sampling.step) {
    const work = await workOfSize(size)
    if (work === undefined) break
    if (sampling === CONFIRMATION) collectGarbage()
    let [ms, referenceMs] = [Infinity, Infinity]
    for (let round = 0; round < sampling.rounds; round++) {
      if (sampling === CONFIRMATION) clearYoungGeneration()
      ms = Math.min(ms, await measureMs(work.run))
      if (sampling === CONFIRMATION) referenceMs = Math.min(referenceMs, await measureMs(work.runReference))
    }
    if (ms >= MIN_MS) points.push({ size, ms, referenceMs })
    if (ms >= sampling.enoughMs && points.length >= sampling.minPoints) break
  }
  return points.slice(-sampling.points)
}

/** Returns the exponent of the growth: the slope of the logarithms, by least squares. */
function fitExponent(points: readonly Point[], key: 'ms' | 'referenceMs' = 'ms'): number {
  if (points.length < 2) return 0
  const logs = points.map((point) => [Math.log(point.size), Math.log(point[key])] as const)
  const mean = (at: 0 | 1): number => logs.reduce((sum, each) => sum + each[at], 0) / logs.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return covariance / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
}

/**
 * Returns the smallest exponent without one of the points, and of the last two: a single collection of garbage does not count as
 * growth, nor does a heap that grows once. Real growth shows in the last doubling, too.
 */
function fitRobustly(points: readonly Point[]): number {
  const withoutOne = points.map((_, at) => fitExponent(points.toSpliced(at, 1)))
  return Math.min(...withoutOne, fitExponent(points.slice(-2)))
}

/** Returns a description of work that grows faster than its input, or undefined. */
export async function findExcessiveGrowth(workOfSize: WorkOfSize): Promise<string | undefined> {
  // Code that was not compiled yet would make the first point slow, and hide the growth.
  const first = await workOfSize(SCREENING.start)
  if (first !== undefined) await measureMs(first.run)
  for (const sampling of [SCREENING, SECOND_LOOK])
    if (fitExponent(await sample(workOfSize, sampling)) <= MAX_EXPONENT) return undefined
  for (let [linearCount, excessiveCount] = [0, 0]; ;) {
    const points = await sample(workOfSize, CONFIRMATION)
    const machine = Math.max(0, fitExponent(points, 'referenceMs') - 1)
    const exponent = fitRobustly(points) - machine
    if (exponent <= MAX_EXPONENT) {
      if (++linearCount === MAJORITY) return undefined
    } else if (++excessiveCount === MAJORITY) {
      const list = points.map(({ size, ms }) => `${size}: ${ms.toFixed(1)} ms`).join(', ')
      return `exponent ${exponent.toFixed(2)} (${list})`
    }
  }
}
