import { Command } from 'commander'
import { addExamples } from '../command-examples.ts'
import { createFormatOption, createKindOption } from '../input/format-options.ts'
import { type Terminal, printLine, printJson } from '../command-io.ts'
import { dialects } from '../../dialects/dialects.ts'
import { CommandExit } from '../exit-codes.ts'
import { printFault } from '../error-output.ts'
import { FORMAT_NAMES, readDocument, STORED_FORMAT, type InputFormatOptions } from '../input/document.ts'
import { type Colorizer, createColorizer, escapeControlCharacters, formatTable } from '../terminal-text.ts'
import {
  checkTranslations,
  type TranslationCheck,
  type VerifyRuleId,
  VERIFY_RULES,
} from './check-document.ts'
import { checkStreamTranslations } from './check-stream.ts'
import { listFiles, type VerifySubject, readSubjects } from './verify-subject.ts'
import { type MatrixCell, VerifyReport } from './verify-report.ts'

export interface VerifyOptions extends InputFormatOptions {
  readonly json?: boolean
}

/** Pushes everything that is found through every pair of formats. */
export async function runVerify(
  paths: readonly string[],
  options: VerifyOptions,
  terminal: Terminal,
): Promise<void> {
  const tally = new VerifyReport()
  for (const path of paths.length === 0 ? ['-'] : paths) {
    if (path === '-') await verifyFile(path, options, tally, terminal)
    else for await (const file of listFiles(path, terminal)) await verifyFile(file, options, tally, terminal)
  }
  if (options.json === true) await printJson(terminal, tally)
  else
    for (const line of formatReport(tally, createColorizer(terminal, terminal.stdout)))
      await printLine(terminal, line)
  if (tally.violations.size > 0) throw new CommandExit('broken')
  if (tally.unreadableCount > 0) throw new CommandExit('input')
}

/** Verifies all that a file holds; one that cannot be read is told, and the others are still verified. */
async function verifyFile(
  file: string,
  options: VerifyOptions,
  tally: VerifyReport,
  terminal: Terminal,
): Promise<void> {
  const unread = (place: string, error: unknown): Promise<void> => {
    tally.unreadableCount++
    return printFault({ file: place, error }, options, terminal)
  }
  try {
    for await (const { location, subject, error } of readSubjects(file, options, terminal)) {
      terminal.signal.throwIfAborted()
      if (subject === undefined && error === undefined) tally.unknownFormatCount++
      const fault = subject === undefined ? error : await verifySubject(location, subject, tally)
      if (fault !== undefined) await unread(location, fault)
    }
  } catch (error) {
    if (terminal.signal.aborted || error instanceof CommandExit) throw error
    await unread(file, error)
  }
}

/** Why a subject could not be read, if it could not. */
async function verifySubject(place: string, subject: VerifySubject, tally: VerifyReport): Promise<unknown> {
  try {
    tally.add(place, subject.kind === 'stored' ? STORED_FORMAT : subject.name, await checkSubject(subject))
    return undefined
  } catch (error) {
    return error
  }
}

async function checkSubject(subject: VerifySubject): Promise<readonly TranslationCheck[]> {
  if (subject.kind === 'stream') return checkStreamTranslations(subject.wire, subject.name)
  if (subject.kind === 'stored')
    return checkTranslations(
      readDocument(subject.wire, { from: STORED_FORMAT }).content,
      undefined,
      subject.wire,
    )
  const { content } = readDocument(subject.wire, { from: subject.name, kind: subject.kind })
  return checkTranslations(content, subject.name, subject.wire)
}

/** How many breaches of one rule are shown; `--json` has them all. */
const MAX_SHOWN_VIOLATIONS = 10

function formatReport(tally: VerifyReport, paint: Colorizer): readonly string[] {
  const { documentCount, unreadableCount, unknownFormatCount, losses } = tally
  const beside = [
    ...(unreadableCount > 0 ? [`${unreadableCount} could not be read`] : []),
    ...(unknownFormatCount > 0 ? [`${unknownFormatCount} of formats that are not known passed over`] : []),
  ]
  const counted = losses.formatLines()
  return [
    [`${documentCount} documents through ${Object.keys(dialects).length} formats`, ...beside].join(', '),
    '',
    paint('bold', 'Documents that lose meaning, by the format that they come from and go to'),
    ...formatMatrix(tally, paint),
    '',
    paint('bold', 'Rules'),
    ...formatRules(tally, paint),
    ...(counted.length === 0 ? [] : ['', paint('bold', 'What does not come through unchanged')]),
    ...counted,
  ]
}

function formatMatrix({ matrix }: VerifyReport, paint: Colorizer): readonly string[] {
  const names = Object.keys(dialects)
  const order = (from: string): number => (FORMAT_NAMES as readonly string[]).indexOf(from)
  const sorted = [...matrix].toSorted(([a], [b]) => order(a) - order(b))
  const rows = sorted.map(([from, row]) => [
    paint('cyan', from),
    ...names.map((to) => formatCell(row.get(to), from === to)),
  ])
  return formatTable([['from \\ to', ...names].map((name) => paint('dim', name)), ...rows])
}

function formatCell(cell: MatrixCell | undefined, own: boolean): string {
  if (cell === undefined) return '-'
  const { documentCount, lossyCount, refusedCount } = cell
  const crossed = documentCount - refusedCount
  const share = own && lossyCount === 0 ? `exact (${crossed})` : `${lossyCount} of ${crossed}`
  return refusedCount === 0 ? share : `${share}, ${refusedCount} refused`
}

function formatRules({ violations }: VerifyReport, paint: Colorizer): readonly string[] {
  return Object.entries(VERIFY_RULES).flatMap(([id, summary]) => {
    const found = violations.get(id as VerifyRuleId) ?? []
    const verdict = found.length === 0 ? paint('green', 'holds ') : paint('red', 'BROKEN')
    return [
      `${verdict}  ${id.padEnd(12)}  ${summary}`,
      ...found
        .slice(0, MAX_SHOWN_VIOLATIONS)
        .map(
          ({ location, to, detail }) =>
            `          ${escapeControlCharacters(`${location}, to ${to}: ${detail}`)}`,
        ),
      ...(found.length > MAX_SHOWN_VIOLATIONS
        ? [`          and ${found.length - MAX_SHOWN_VIOLATIONS} more`]
        : []),
    ]
  })
}

export function createVerifyCommand(terminal: Terminal): Command {
  return addExamples(
    new Command('verify')
      .description(
        'Reads requests, responses, streams, stored conversations and recorded exchanges, and writes each in every format. ' +
          'Shows how much meaning is lost on each way, and whether the promises hold: exact in its own format, readable ' +
          'and accepted in the others, nothing lost in silence. Exit code 5 where one is broken.',
      )
      .argument(
        '[paths...]',
        'files and folders (.json, .jsonl, .ndjson, .sse); standard input where left out',
      )
      .addOption(createFormatOption('-f, --from <form>', 'what it is, where that is not found out by itself'))
      .addOption(createKindOption())
      .option('--json', 'as JSON')
      .action((paths: readonly string[], options: VerifyOptions) => runVerify(paths, options, terminal)),
    [
      ['One request', 'interlingua verify request.json'],
      ['A whole folder', 'interlingua verify .'],
      ['For a program', 'cat log.jsonl | interlingua verify --json'],
    ],
  )
}
