// @ts-check
// Measures the sides of a benchmark alternately, and compares each with the plain side.

/**
 * Work whose result shows whether it was done. `setup` runs before each sample, untimed, and gets the number of calls.
 * @typedef {(() => unknown) & { setup?: (count: number) => unknown }} Act
 */
/**
 * Several ways to the same result: ours, the plain way that no library can avoid, and those of other libraries. The processor
 * time of a base, if there is one, is subtracted: it is what any way needs. Work of another process is measured by its clock.
 * @typedef {{
 *   name: string,
 *   target?: number,
 *   targetMs?: number,
 *   ours: Act,
 *   plain: Act,
 *   isRight?: (result: any) => boolean,
 *   peers?: { readonly [name: string]: Act },
 *   oursBase?: Act,
 *   readOursMs?: () => number | Promise<number>,
 *   readPlainMs?: () => number | Promise<number>,
 * }} Benchmark
 */
/** @typedef {{ act: Act, base?: Act | undefined, readMs: () => number | Promise<number>, count: number, problem?: string, times: number[] }} Side */
/** A ratio to the plain side with the middle half of its rounds. @typedef {{ ratio: number, low: number, high: number }} Ratio */
/** @typedef {{ name: string, target?: number, targetMs?: number, plainMs: number, oursMs: number, ours: Ratio | string, peers: { name: string, ours: Ratio | string }[] }} Outcome */

/** The processor time of one sample: shorter ones measure the clock and the garbage collector. */
const MIN_SAMPLE_MS = 20
const MAX_COUNT = 100_000
/**
 * A side is warm when two periods of this processor time are not faster than those before. The compiler of a decoder, which runs
 * hundreds of functions, needs one or two seconds; `JSON.parse` needs none.
 */
const WARM_UP_PERIOD_MS = 250
const MAX_WARM_UP_PERIODS = 16
/** The limit of the samples in a period, for sides whose time is below that of their base. */
const MAX_PERIOD_SAMPLES = 1000
/** The part of its time by which a side that is not warm gets faster in a period. */
const WARM_UP_GAIN = 0.03

/** Returns the processor time of this process in milliseconds: other programs do not change it as they change a clock. */
export function readProcessorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * @param {Act} act
 * @param {number} count
 */
async function repeat(act, count) {
  /** @type {unknown} */
  let result
  for (let done = 0; done < count; done++) {
    result = act()
    if (result instanceof Promise) result = await result
  }
  return result
}

/**
 * Returns the processor time of a number of calls in milliseconds.
 * @param {Pick<Side, 'act' | 'base' | 'readMs'>} side
 * @param {number} count
 */
async function time({ act, base, readMs }, count) {
  await act.setup?.(count)
  const start = await readMs()
  await repeat(act, count)
  const took = (await readMs()) - start
  if (base === undefined) return took
  const baseStart = readProcessorMs()
  await repeat(base, count)
  return took - (readProcessorMs() - baseStart)
}

/**
 * Returns the value below which a share of the values is.
 * @param {readonly number[]} values
 * @param {number} share
 */
const quantile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0

/**
 * Checks the result of a side once, and warms it up.
 * @param {Side} side
 * @param {(result: unknown) => boolean} isRight
 */
async function prepare(side, isRight) {
  try {
    await side.act.setup?.(1)
    const result = await repeat(side.act, 1)
    if (!isRight(result)) side.problem = `wrong: ${String(result).slice(0, 60)}`
    await warmUp(side)
  } catch (error) {
    side.problem = `failed: ${error instanceof Error ? error.message.split('\n')[0]?.slice(0, 80) : String(error)}`
  }
}

/**
 * Repeats a side until it is warm, and finds out how many calls a sample needs. Periods are compared by their fastest samples,
 * which other programs and the garbage collector disturb least.
 * @param {Side} side
 */
async function warmUp(side) {
  let fastest = Infinity
  let periodsWithoutGain = 0
  for (let period = 0; period < MAX_WARM_UP_PERIODS && periodsWithoutGain < 2; period++) {
    const best = await repeatForPeriod(side)
    periodsWithoutGain = best > fastest * (1 - WARM_UP_GAIN) ? periodsWithoutGain + 1 : 0
    fastest = Math.min(fastest, best)
  }
}

/**
 * Repeats a side for a period and returns the time of a call in its fastest sample.
 * @param {Side} side
 */
async function repeatForPeriod(side) {
  let [total, fastest] = [0, Infinity]
  for (let samples = 0; total < WARM_UP_PERIOD_MS && samples < MAX_PERIOD_SAMPLES; samples++) {
    const took = await time(side, side.count)
    total += took
    fastest = Math.min(fastest, took / side.count)
    if (took < MIN_SAMPLE_MS && side.count < MAX_COUNT)
      side.count = Math.ceil(side.count * Math.min(10, (1.2 * MIN_SAMPLE_MS) / Math.max(took, 0.1)))
  }
  return fastest
}

/**
 * @param {Act} act
 * @param {Side['readMs']} [readMs]
 * @param {Act} [base]
 * @returns {Side}
 */
const toSide = (act, readMs = readProcessorMs, base) => ({
  act,
  readMs,
  base,
  count: 1,
  times: [],
})

/**
 * Measures a benchmark. A side that fails or returns a wrong result has a text instead of a ratio.
 * @param {Benchmark} benchmark
 * @param {number} rounds
 * @returns {Promise<Outcome>}
 */
export async function measure(benchmark, rounds) {
  const { name, target, targetMs, plain, isRight } = benchmark
  const plainSide = toSide(plain, benchmark.readPlainMs)
  const oursSide = toSide(benchmark.ours, benchmark.readOursMs, benchmark.oursBase)
  const others = Object.entries(benchmark.peers ?? {}).map(([peer, act]) => ({ peer, side: toSide(act) }))
  await plain.setup?.(1)
  const expected = await repeat(plain, 1)
  const check = isRight ?? ((/** @type {unknown} */ result) => result === expected)
  const sides = [plainSide, oursSide, ...others.map(({ side }) => side)]
  for (const side of sides) await prepare(side, side === plainSide ? () => true : check)
  const running = sides.filter((side) => side.problem === undefined)
  for (let round = 0; round < rounds; round++)
    for (const side of running) side.times.push((await time(side, side.count)) / side.count)
  const median = quantile(plainSide.times, 0.5)
  /** @type {(side: Side) => Ratio | string} */
  const toRatio = ({ problem, times }) => {
    if (problem !== undefined) return problem
    const ratios = times.map((ms, round) => ms / (plainSide.times[round] ?? median))
    // The sides of one round run one after the other, so other programs disturb both: a ratio of medians mixes rounds.
    return { ratio: quantile(ratios, 0.5), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) }
  }
  const peers = others.map(({ peer, side }) => ({ name: peer, ours: toRatio(side) }))
  const oursMs = quantile(oursSide.times, 0.5)
  return {
    name,
    ...(target && { target }),
    ...(targetMs && { targetMs }),
    plainMs: median,
    oursMs,
    ours: toRatio(oursSide),
    peers,
  }
}
