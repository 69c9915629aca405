// @ts-check
// bench/RESULTS.md: one section for each part, replaced when the part was measured, and the targets that are not met.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'

const file = new URL('RESULTS.md', import.meta.url)
const TARGETS = 'Targets'

const head = `# Results of \`npm run bench\`

On ${cpus()[0]?.model ?? 'an unknown processor'}, ${cpus().length} cores, shared with other programs. All times are processor time. A
ratio is the median of the rounds compared with that of the plain side; the middle half of the rounds shows the noise.`

/** @param {string} title @param {ReadonlyMap<string, string>} sections */
const formatSection = (title, sections) => `## ${title}\n\n${sections.get(title) ?? ''}`

/** Lists the rows that miss their target. @param {Iterable<string>} texts */
function formatTargets(texts) {
  const rows = [...texts].flatMap((text) => text.split('\n').filter((line) => line.startsWith('| ')))
  const isMissed = (/** @type {string} */ row) => row.includes('| **no**')
  const met = rows.filter((row) => /\| yes +\|/.test(row)).length
  const missed = rows.filter(isMissed)
  return `${met} of ${met + missed.length} targets are met. A row whose target is missed has a **no**.`
}

/** @returns {Map<string, string>} */
function readSections() {
  if (!existsSync(file)) return new Map()
  const [, ...sections] = readFileSync(file, 'utf8').split(/^## /m)
  return new Map(
    sections.map((section) => {
      const [title = '', ...lines] = section.split('\n')
      return [title, lines.join('\n').trim()]
    }),
  )
}

/**
 * Replaces the section of a part.
 * @param {string} title
 * @param {string} text
 * @param {readonly string[]} titles of all parts, in their order
 */
export function writeSection(title, text, titles) {
  const sections = readSections().set(title, text.trim())
  const present = titles.filter((each) => sections.has(each))
  const targets = formatTargets(present.map((each) => sections.get(each) ?? ''))
  const all = [head, `## ${TARGETS}\n\n${targets}`, ...present.map((each) => formatSection(each, sections))]
  writeFileSync(file, `${all.join('\n\n')}\n`)
}
