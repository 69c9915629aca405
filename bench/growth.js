// @ts-check
// How cost grows with size, and whether the cost of one element jumps at a size at which caches or tables might be full.
import { readProcessorMs } from './measure.js'
import { growthCases, prepareCalls, prepareCitations, prepareLosses, prepareTools } from './growth-cases.js'

const MAX_EXPONENT = 1.1
/** Below these times, the exponent is that of the noise. */
const MIN_MS = 5
/** The processor time of a side of one round: it contains collections of garbage, whatever the size. */
const ROUND_MS = 30
const ROUNDS = 9
const MAX_CLIFF = 2
/** The compiler has optimized most of the work after this time. */
const WARM_UP_MS = 100
/** One sample of work that takes longer is enough. */
const LONG_MS = 500

/** The sizes on both sides of 100, 1,000 and 10,000. */
const cliffSizes = /** @type {const} */ ([
  [70, 140],
  [700, 1400],
  [6000, 12_000],
])

/** @type {readonly { name: string, prepare: (size: number) => () => unknown }[]} */
const cliffCases = [
  .../** @type {const} */ (['openai-chat', 'anthropic', 'gemini', 'ollama']).map((name) => ({
    name: `${name}: tools`,
    prepare: (/** @type {number} */ size) => prepareTools(name, size),
  })),
  .../** @type {const} */ (['anthropic', 'gemini', 'ollama']).map((name) => ({
    name: `${name}: calls`,
    prepare: (/** @type {number} */ size) => prepareCalls(name, size),
  })),
  { name: 'gemini: citations', prepare: prepareCitations },
  { name: 'anthropic: losses', prepare: (size) => prepareLosses('anthropic', size) },
]

/**
 * Returns the processor time of work in milliseconds: the least of some samples of at least 5 ms.
 * @param {() => unknown} act
 */
export async function timeWork(act) {
  await act()
  let [least, count, total] = [Infinity, 1, 0]
  for (let sample = 0; sample < 4 || total < WARM_UP_MS; sample++) {
    const start = readProcessorMs()
    for (let done = 0; done < count; done++) await act()
    const took = readProcessorMs() - start
    least = Math.min(least, took / count)
    total += took
    if (took > LONG_MS) break
    if (took < MIN_MS) count = Math.ceil((1.5 * count * MIN_MS) / Math.max(took, 0.1))
  }
  return least
}

/**
 * Returns how many times longer the large work takes than the small one: the median of rounds in which they run one after the
 * other for a similar time, so that the compiler, the garbage collection and other programs disturb both.
 * @param {() => unknown} small
 * @param {() => unknown} large
 */
async function compareTimes(small, large) {
  const [smallSide, largeSide] = [await toSide(small), await toSide(large)]
  /** @type {number[]} */
  const ratios = []
  for (let round = 0; round < ROUNDS; round++) {
    const smallMs = await timeSide(smallSide)
    ratios.push((await timeSide(largeSide)) / smallMs)
  }
  return ratios.toSorted((a, b) => a - b)[(ROUNDS - 1) / 2] ?? 0
}

/** @typedef {{ act: () => unknown, count: number }} Side */

/** Warms work up, and counts how often a round runs it. @param {() => unknown} act @returns {Promise<Side>} */
const toSide = async (act) => ({ act, count: Math.ceil(ROUND_MS / (await timeWork(act))) })

/** @param {Side} side */
async function timeSide({ act, count }) {
  const start = readProcessorMs()
  for (let done = 0; done < count; done++) await act()
  return (readProcessorMs() - start) / count
}

/**
 * Yields the exponent of each case, then the largest jump of the cost of one element.
 * @returns {AsyncGenerator<import('./report.js').Measured>}
 */
export async function* measureGrowth() {
  for (const { name, sizes, prepare } of growthCases) {
    const ratio = await compareTimes(prepare(sizes[0]), prepare(sizes[1]))
    const exponent = Math.log(ratio) / Math.log(sizes[1] / sizes[0])
    const range = sizes.map((size) => size.toLocaleString('en')).join(' to ')
    yield {
      name: `${name}, ${range}`,
      value: exponent.toFixed(2),
      target: String(MAX_EXPONENT),
      isMet: exponent <= MAX_EXPONENT,
    }
  }
  for (const { name, prepare } of cliffCases) {
    /** @type {number[]} */
    const jumps = []
    for (const [before, after] of cliffSizes)
      jumps.push(((await compareTimes(prepare(before), prepare(after))) * before) / after)
    const value = jumps.map((jump) => jump.toFixed(2)).join(' · ')
    yield {
      name: `cliff, ${name}: cost of one of 140 against one of 70 · 1,400 of 700 · 12,000 of 6,000`,
      value,
      target: String(MAX_CLIFF),
      isMet: Math.max(...jumps) <= MAX_CLIFF,
    }
  }
}
