// @ts-check
// Writes the judgements of the comparison as tables.

/** @typedef {import('./judge.js').Cell} Cell */
/** @typedef {import('./judge.js').Judgement} Judgement */

/** A conversation that arrives: accepted, its calls intact, and everything that is missing was reported. @param {Judgement} judgement */
const isFaithful = ({ verdict, callProblem, lost, reports }) =>
  verdict === 'accepted' && callProblem === undefined && (lost.length === 0 || reports > 0)

/** @param {Judgement} judgement */
const isSilentLoss = ({ verdict, lost, reports }) =>
  verdict === 'accepted' && lost.length > 0 && reports === 0

/** @param {Cell} cell */
function formatCell({ results }) {
  const judged = results
    .filter(({ judgement }) => judgement.verdict !== 'not supported')
    .map(({ judgement }) => judgement)
  if (judged.length === 0) return 'not supported'
  const count = (/** @type {(judgement: Judgement) => boolean} */ test) => judged.filter(test).length
  const notes = [
    [count(({ verdict }) => verdict === 'refused'), 'refused'],
    [count(({ verdict }) => verdict === 'error'), 'error'],
    [
      count(({ verdict, callProblem }) => verdict === 'accepted' && callProblem !== undefined),
      'calls broken',
    ],
    [count(isSilentLoss), 'silent loss'],
  ].filter(([number]) => number !== 0)
  const faithful = `**${count(isFaithful)}** of ${judged.length}`
  return notes.length === 0
    ? faithful
    : `${faithful} (${notes.map(([number, what]) => `${number} ${what}`).join(', ')})`
}

/** @param {readonly string[]} row */
const formatRow = (row) =>
  `| ${row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`

/**
 * @param {readonly Cell[]} cells
 * @param {readonly { name: string, versions: string, how: string }[]} versions
 */
export function formatTables(cells, versions) {
  const targets = [...new Set(cells.map(({ target }) => target))]
  const names = [...new Set(cells.map(({ name }) => name))]
  const rows = names.map((name) => [
    name,
    ...targets.map((target) => {
      const cell = cells.find((each) => each.name === name && each.target === target)
      return cell ? formatCell(cell) : ''
    }),
  ])
  const table = [['library', ...targets], ['---', ...targets.map(() => '---')], ...rows].map(formatRow)
  const driven = versions.map(({ name, versions: numbers, how }) => formatRow([name, numbers, how]))
  return `${table.join('\n')}\n\n| library | versions | driven by |\n| --- | --- | --- |\n${driven.join('\n')}`
}

/** @param {Judgement} judgement */
function describe({ verdict, reason, callProblem, lost, reports }) {
  const notes = [
    verdict === 'accepted' ? '' : `${verdict}: ${reason ?? ''}`,
    verdict === 'accepted' || verdict === 'refused' ? (callProblem ?? '') : '',
    lost.length > 0
      ? `${reports > 0 ? `missing, ${reports} reports` : 'missing silently'}: ${lost.join(', ')}`
      : '',
  ]
  return notes.filter((note) => note !== '').join('; ')
}

/** Lists each conversation that did not arrive whole. @param {readonly Cell[]} cells */
export function formatDetails(cells) {
  const sections = cells.map(({ name, target, results }) => {
    const lines = results.flatMap(({ name: conversation, judgement }) => {
      const text = describe(judgement)
      return text === '' ? [] : [`- ${conversation}: ${text}`]
    })
    return `## ${name} to ${target}\n\n${lines.length === 0 ? 'Everything arrived.' : lines.join('\n')}\n`
  })
  return sections.join('\n')
}
