// @ts-check
// `npm run bench`: runs every benchmark, alternating between both sides, and prints one line each. Never fails.
import { gateways } from './gateway.js'
import { append } from './messages.js'
import { translating } from './translate.js'
import { growth } from './encode-growing-conversation.js'
import { repairing } from './repair.js'
import { stores } from './stores.js'
import { streaming } from './parse-stream.js'

/** @typedef {import('./messages.js').Benchmark} Benchmark */

const WARM_UP = 5
const ROUNDS = 15

/** @type {readonly Benchmark[]} */
const benchmarks = [...append, ...repairing, ...translating, ...growth, ...streaming]

/**
 * Returns the duration of a function in milliseconds.
 * @param {() => number | Promise<number>} act
 * @param {number} expected
 */
async function time(act, expected) {
  const start = performance.now()
  const result = await act()
  const took = performance.now() - start
  if (result !== expected) throw new Error(`a benchmark returned ${result} instead of ${expected}`)
  return took
}

/** @param {readonly number[]} times */
const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

/** @param {number} milliseconds */
const ms = (milliseconds) => `${milliseconds.toFixed(2)} ms`.padStart(10)

/** @param {Benchmark} benchmark */
async function print({ name, target, ours, plain, oursBase, plainBase }) {
  const expected = await plain()
  /** @type {{ ours: number, plain: number, oursBase: number, plainBase: number }[]} */
  const rounds = []
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    rounds.push({
      ours: await time(ours, expected),
      plain: await time(plain, expected),
      oursBase: oursBase === undefined ? 0 : await time(oursBase, expected),
      plainBase: plainBase === undefined ? 0 : await time(plainBase, expected),
    })
  }
  const counted = rounds.slice(WARM_UP)
  const mine = median(counted.map((round) => round.ours)) - median(counted.map((round) => round.oursBase))
  const theirs = median(counted.map((round) => round.plain)) - median(counted.map((round) => round.plainBase))
  const ratio = `${(mine / theirs).toFixed(1)} times`.padStart(12)
  const aim = target === undefined ? '' : ` (target: ${target})`
  console.log(`${name.padEnd(55)}${ms(mine)}${ms(theirs)}${ratio}${aim}`)
}

for (const benchmark of benchmarks) await print(benchmark)

const served = await gateways()
try {
  for (const benchmark of served.rows) await print(benchmark)
} finally {
  served.close()
}

// Fills real databases with long conversations first, which takes a while.
const stored = await stores()
try {
  for (const benchmark of stored.rows) await print(benchmark)
} finally {
  await stored.close()
}
