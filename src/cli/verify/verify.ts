import { dialects } from '../../dialects/translate.ts'
import { Exit } from '../exit-codes.ts'
import { tellFault } from '../fault.ts'
import { FORMS, readDocument, STORED, type Told } from '../input/document.ts'
import { type Paint, paintFor, printable } from '../paint.ts'
import { table } from '../table.ts'
import { say, sayJson, type Terminal } from '../terminal.ts'
import { crossAll, type Crossing } from './check.ts'
import { crossStream } from './check-stream.ts'
import { type RuleId, RULES } from './rules.ts'
import { filesOf, type Subject, subjectsOf } from './subject.ts'
import { type Cell, Tally } from './tally.ts'

export interface VerifyOptions extends Told {
  readonly json?: boolean
}

/** Pushes everything that is found through every pair of formats. */
export async function verify(
  paths: readonly string[],
  options: VerifyOptions,
  terminal: Terminal,
): Promise<void> {
  const tally = new Tally()
  for (const path of paths.length === 0 ? ['-'] : paths) {
    if (path === '-') await verifyFile(path, options, tally, terminal)
    else for await (const file of filesOf(path, terminal)) await verifyFile(file, options, tally, terminal)
  }
  if (options.json === true) await sayJson(terminal, tally)
  else for (const line of linesOf(tally, paintFor(terminal, terminal.stdout))) await say(terminal, line)
  if (tally.breaches.size > 0) throw new Exit('broken')
  if (tally.unread > 0) throw new Exit('input')
}

/** Verifies all that a file holds; one that cannot be read is told, and the others are still verified. */
async function verifyFile(
  file: string,
  options: VerifyOptions,
  tally: Tally,
  terminal: Terminal,
): Promise<void> {
  const unread = (place: string, error: unknown): Promise<void> => {
    tally.unread++
    return tellFault({ file: place, error }, options, terminal)
  }
  try {
    for await (const { place, subject, error } of subjectsOf(file, options, terminal)) {
      terminal.signal.throwIfAborted()
      if (subject === undefined && error === undefined) tally.foreign++
      const fault = subject === undefined ? error : await add(place, subject, tally)
      if (fault !== undefined) await unread(place, fault)
    }
  } catch (error) {
    if (terminal.signal.aborted || error instanceof Exit) throw error
    await unread(file, error)
  }
}

/** Why a subject could not be read, if it could not. */
async function add(place: string, subject: Subject, tally: Tally): Promise<unknown> {
  try {
    tally.add(place, subject.kind === 'stored' ? STORED : subject.name, await crossingsOf(subject))
    return undefined
  } catch (error) {
    return error
  }
}

async function crossingsOf(subject: Subject): Promise<readonly Crossing[]> {
  if (subject.kind === 'stream') return crossStream(subject.wire, subject.name)
  if (subject.kind === 'stored')
    return crossAll(readDocument(subject.wire, { from: STORED }).content, undefined, subject.wire)
  const { content } = readDocument(subject.wire, { from: subject.name, kind: subject.kind })
  return crossAll(content, subject.name, subject.wire)
}

/** How many breaches of one rule are shown; `--json` has them all. */
const SHOWN = 10

function linesOf(tally: Tally, paint: Paint): readonly string[] {
  const { documents, unread, foreign, losses } = tally
  const beside = [
    ...(unread > 0 ? [`${unread} could not be read`] : []),
    ...(foreign > 0 ? [`${foreign} of formats that are not known passed over`] : []),
  ]
  const counted = losses.lines()
  return [
    [`${documents} documents through ${Object.keys(dialects).length} formats`, ...beside].join(', '),
    '',
    paint('bold', 'Documents that lose meaning, by the format that they come from and go to'),
    ...matrixLines(tally, paint),
    '',
    paint('bold', 'Rules'),
    ...ruleLines(tally, paint),
    ...(counted.length === 0 ? [] : ['', paint('bold', 'What does not come through unchanged')]),
    ...counted,
  ]
}

function matrixLines({ matrix }: Tally, paint: Paint): readonly string[] {
  const names = Object.keys(dialects)
  const order = (from: string): number => (FORMS as readonly string[]).indexOf(from)
  const sorted = [...matrix].toSorted(([a], [b]) => order(a) - order(b))
  const rows = sorted.map(([from, row]) => [
    paint('cyan', from),
    ...names.map((to) => cellText(row.get(to), from === to)),
  ])
  return table([['from \\ to', ...names].map((name) => paint('dim', name)), ...rows])
}

function cellText(cell: Cell | undefined, own: boolean): string {
  if (cell === undefined) return '-'
  const { documents, lossy, refused } = cell
  const crossed = documents - refused
  const share = own && lossy === 0 ? `exact (${crossed})` : `${lossy} of ${crossed}`
  return refused === 0 ? share : `${share}, ${refused} refused`
}

function ruleLines({ breaches }: Tally, paint: Paint): readonly string[] {
  return Object.entries(RULES).flatMap(([id, summary]) => {
    const found = breaches.get(id as RuleId) ?? []
    const verdict = found.length === 0 ? paint('green', 'holds ') : paint('red', 'BROKEN')
    return [
      `${verdict}  ${id.padEnd(12)}  ${summary}`,
      ...found
        .slice(0, SHOWN)
        .map(({ place, to, detail }) => `          ${printable(`${place}, to ${to}: ${detail}`)}`),
      ...(found.length > SHOWN ? [`          and ${found.length - SHOWN} more`] : []),
    ]
  })
}
