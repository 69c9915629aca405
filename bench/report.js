// @ts-check
// Prints the tables of the benchmarks, and keeps their lines for bench/RESULTS.md.

/** @typedef {import('./measure.js').Outcome} Outcome */
/** @typedef {{ name: string, value: string, target: string, isMet?: boolean, peers?: string }} Measured */

/** The lines since the last call of `takeLines`. @type {string[]} */
let lines = []

/** @param {string} line */
function print(line) {
  console.log(line)
  lines.push(line)
}

/** Returns the lines that were printed since the last call. */
export function takeLines() {
  const taken = lines.join('\n')
  lines = []
  return taken
}

/** @param {string} title @param {string} note @param {string} head the first row of the table */
function printHead(title, note, head) {
  console.log(`\n## ${title}\n`)
  print(`${note}\n\n${head}\n${head.replaceAll(/[^|]+/g, ' --- ')}`)
}

/** @param {string} title @param {string} note */
export const printRatioHead = (title, note) =>
  printHead(title, note, '| work | plain | interlingua | middle half | target | met | others |')

/** @param {string} title @param {string} note */
export const printMeasuredHead = (title, note) =>
  printHead(title, note, '| what | interlingua | target | met | others |')

/** The cell for a target; empty without one. @param {boolean | undefined} isMet */
const formatMet = (isMet) => (isMet === undefined ? '' : isMet ? 'yes' : '**no**')

/** @param {number} value */
const round = (value) => Number(value.toPrecision(value < 100 ? 2 : 3))

/** @param {number} ms */
const formatMs = (ms) => (ms < 1 ? `${round(ms * 1000)} µs` : `${round(ms)} ms`)

/** @param {Outcome} outcome */
export function printRatio({ name, target, targetMs, plainMs, oursMs, ours, peers }) {
  if (typeof ours === 'string') return printRow(name, plainMs, [ours, ''], '', formatMet(false), peers)
  const isMet = targetMs ? oursMs <= targetMs : target && ours.ratio <= target
  const value = targetMs ? `${ours.ratio.toFixed(2)} (${formatMs(oursMs)})` : ours.ratio.toFixed(2)
  const cells = [value, `${ours.low.toFixed(2)}–${ours.high.toFixed(2)}`]
  const met = formatMet(isMet === undefined ? undefined : Boolean(isMet))
  printRow(name, plainMs, cells, targetMs ? formatMs(targetMs) : String(target ?? ''), met, peers)
}

/**
 * @param {string} name
 * @param {number} plainMs
 * @param {readonly string[]} cells
 * @param {string} target
 * @param {string} met
 * @param {Outcome['peers']} peers
 */
function printRow(name, plainMs, cells, target, met, peers) {
  const others = peers.map(
    ({ name: peer, ours }) => `${peer} ${typeof ours === 'string' ? `(${ours})` : ours.ratio.toFixed(2)}`,
  )
  const row = [name, formatMs(plainMs), ...cells, target, met, others.join(', ')]
  print(`| ${row.map((cell) => cell.replaceAll('|', '/')).join(' | ')} |`)
}

/** @param {Measured} measured */
export function printMeasured({ name, value, target, isMet, peers = '' }) {
  print(`| ${name} | ${value} | ${target} | ${formatMet(isMet)} | ${peers} |`)
}
