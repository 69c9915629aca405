// @ts-check
// Prints the tables of the benchmarks, and keeps their lines for bench/RESULTS.md.

/** @typedef {import('./measure.js').Outcome} Outcome */
/** @typedef {{ name: string, value: string, target: string, isMet?: boolean, peers?: string }} Measured */

/** @type {string[]} */
export const lines = []
/** Rows with a target: how many meet it, and which do not. @type {{ met: number, missed: string[] }} */
export const tally = { met: 0, missed: [] }

/** @param {string} line */
export function print(line) {
  console.log(line)
  lines.push(line)
}

/**
 * @param {string} title
 * @param {string} note
 */
export function printRatioHead(title, note) {
  print(`\n## ${title}\n\n${note}\n`)
  print('| work | plain | interlingua | middle half | target | met | others |')
  print('| --- | --- | --- | --- | --- | --- | --- |')
}

/**
 * @param {string} title
 * @param {string} note
 */
export function printMeasuredHead(title, note) {
  print(
    `\n## ${title}\n\n${note}\n\n| what | interlingua | target | met | others |\n| --- | --- | --- | --- | --- |`,
  )
}

/**
 * Counts whether a target is met, and returns the cell for it.
 * @param {string} name
 * @param {boolean | undefined} isMet undefined without a target
 */
function countTarget(name, isMet) {
  if (isMet === undefined) return ''
  if (isMet) tally.met++
  else tally.missed.push(name)
  return isMet ? 'yes' : '**no**'
}

/** @param {number} value */
const round = (value) => Number(value.toPrecision(value < 100 ? 2 : 3))

/** @param {number} ms */
const formatMs = (ms) => (ms < 1 ? `${round(ms * 1000)} µs` : `${round(ms)} ms`)

/** @param {Outcome} outcome */
export function printRatio({ name, target, targetMs, plainMs, oursMs, ours, peers }) {
  if (typeof ours === 'string')
    return printRow(name, plainMs, [ours, ''], '', countTarget(`${name} (${ours})`, false), peers)
  const isMet = targetMs ? oursMs <= targetMs : target && ours.ratio <= target
  const value = targetMs ? `${ours.ratio.toFixed(2)} (${formatMs(oursMs)})` : ours.ratio.toFixed(2)
  const cells = [value, `${ours.low.toFixed(2)}–${ours.high.toFixed(2)}`]
  const met = countTarget(`${name}: ${value}`, isMet === undefined ? undefined : Boolean(isMet))
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
  print(`| ${name} | ${value} | ${target} | ${countTarget(`${name} (${value})`, isMet)} | ${peers} |`)
}

/** Prints how many targets are met, and the others. */
export function printTally() {
  const total = tally.met + tally.missed.length
  if (total === 0) return
  print(`\n## Targets\n\n${tally.met} of ${total} are met. Not met:\n`)
  for (const name of tally.missed) print(`- ${name}`)
}
