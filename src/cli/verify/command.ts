import { Command } from 'commander'
import { addCommandExamples } from '../command-examples.ts'
import { createFormatOption, createKindOption } from '../input/format-options.ts'
import { type Terminal, printLines, printJson } from '../command-io.ts'
import { createRegistryOption, knownDialects } from '../registry.ts'
import { InterlinguaError } from '../../errors.ts'
import { CommandExit } from '../exit-codes.ts'
import { printInputError } from '../error-output.ts'
import { FORMAT_NAMES, type InputFormatOptions, isLibraryFormat } from '../input/input-format-names.ts'
import { KNOWN_INPUT } from '../input/recognize-body.ts'
import { type Colorizer, createColorizer, escapeControlCharacters, formatTable } from '../terminal-text.ts'
import {
  checkTranslations,
  decodeKnownBody,
  type TranslationCheckResult,
  type VerifyRuleId,
  VERIFY_RULES,
} from './check-document.ts'
import { checkLibraryMessages, checkTranscript } from './check-library-messages.ts'
import { checkStreamTranslations } from './check-stream.ts'
import { listConversationFiles, type VerifySubject, readSubjects } from './verify-subject.ts'
import { type TranslationCounts, VerifyReport } from './verify-report.ts'

interface VerifyOptions extends InputFormatOptions {
  readonly json?: boolean
}

/** Translates every document between every pair of formats and prints a report. */
async function runVerify(
  paths: readonly string[],
  options: VerifyOptions,
  terminal: Terminal,
): Promise<void> {
  const report = new VerifyReport()
  for (const path of paths.length === 0 ? ['-'] : paths) {
    if (path === '-') await verifyFile(path, options, report, terminal)
    else
      for await (const file of listConversationFiles(path, terminal))
        await verifyFile(file, options, report, terminal)
  }
  if (report.documentCount + report.unreadableCount === 0) throw nothingToVerifyError(report)
  if (options.json === true) await printJson(terminal, report)
  else await printLines(terminal, formatReport(report, createColorizer(terminal, terminal.stdout)))
  if (report.violations.size > 0) throw new CommandExit('check-failed')
  if (report.unreadableCount > 0) throw new CommandExit('input')
}

function nothingToVerifyError({ unknownFormatCount }: VerifyReport): InterlinguaError {
  const found =
    unknownFormatCount === 0
      ? 'no .json, .jsonl, .ndjson or .sse file'
      : 'only recorded exchanges that failed or are in unknown formats'
  return new InterlinguaError('invalid-value', `There is nothing to verify: found ${found}`, {
    found,
    expected: `at least one ${KNOWN_INPUT}`,
    hint: 'Pass a file, or a folder that contains some.',
  })
}

/** Verifies every document of a file. Unreadable documents are reported and skipped. */
async function verifyFile(
  file: string,
  options: VerifyOptions,
  report: VerifyReport,
  terminal: Terminal,
): Promise<void> {
  const reportUnreadable = (location: string, error: unknown): Promise<void> => {
    report.unreadableCount++
    return printInputError({ file: location, error }, options.json === true, terminal)
  }
  try {
    for await (const { location, subject, error } of readSubjects(file, options, terminal)) {
      terminal.signal.throwIfAborted()
      if (error !== undefined) await reportUnreadable(location, error)
      else if (subject === undefined) report.unknownFormatCount++
      else
        await checkSubject(subject).then(
          (checks) => report.add(location, subject.name, checks),
          (fault: unknown) => reportUnreadable(location, fault),
        )
    }
  } catch (error) {
    if (terminal.signal.aborted || error instanceof CommandExit) throw error
    await reportUnreadable(file, error)
  }
}

async function checkSubject(subject: VerifySubject): Promise<readonly TranslationCheckResult[]> {
  if (subject.kind === 'messages') return checkLibraryMessages(subject.messages, subject.name)
  if (subject.kind === 'transcript') return checkTranscript(subject.messages, subject.name)
  const { kind, name, wire } = subject
  if (kind === 'stream') return checkStreamTranslations(wire, name)
  return checkTranslations(decodeKnownBody(wire, name, kind), name, wire)
}

/** Violations shown per rule; `--json` lists all. */
const MAX_SHOWN_VIOLATIONS = 10

function formatReport(report: VerifyReport, paint: Colorizer): readonly string[] {
  const { documentCount, unreadableCount, unknownFormatCount, losses } = report
  const skipped = [
    ...(unreadableCount > 0 ? [`${unreadableCount} could not be read`] : []),
    ...(unknownFormatCount > 0 ? [`${unknownFormatCount} in unknown formats skipped`] : []),
  ]
  const lossLines = losses.formatLines()
  const translated = `${documentCount} ${documentCount === 1 ? 'document' : 'documents'}, translated into ${Object.keys(knownDialects).length} formats`
  return [
    [translated, ...skipped].join(', '),
    '',
    paint('bold', 'Documents with losses, by source and target format'),
    ...formatMatrix(report, paint),
    '',
    paint('bold', 'Rules'),
    ...formatRules(report, paint),
    ...(lossLines.length === 0 ? [] : ['', paint('bold', 'Losses and notes')]),
    ...lossLines,
  ]
}

function formatMatrix({ matrix }: VerifyReport, paint: Colorizer): readonly string[] {
  const names = Object.keys(knownDialects)
  const order = (from: string): number => (FORMAT_NAMES as readonly string[]).indexOf(from)
  const sorted = [...matrix].toSorted(([a], [b]) => order(a) - order(b))
  // Messages of a library are also written in their own format, which has no column of its own.
  const hasLibrary = sorted.some(([from]) => isLibraryFormat(from))
  const rows = sorted.map(([from, row]) => [
    paint('cyan', from),
    ...names.map((to) => formatCell(row.get(to), from === to)),
    ...(hasLibrary ? [isLibraryFormat(from) ? formatCell(row.get(from), false) : ''] : []),
  ])
  const heading = ['from \\ to', ...names, ...(hasLibrary ? ['itself'] : [])]
  return formatTable([heading.map((name) => paint('dim', name)), ...rows])
}

function formatCell(cell: TranslationCounts | undefined, own: boolean): string {
  if (cell === undefined) return '-'
  const { documentCount, lossyCount, refusedCount } = cell
  const translated = documentCount - refusedCount
  const share = own && lossyCount === 0 ? `exact (${translated})` : `${lossyCount} of ${translated}`
  return refusedCount === 0 ? share : `${share}, ${refusedCount} refused`
}

function formatRules({ violations }: VerifyReport, paint: Colorizer): readonly string[] {
  return Object.entries(VERIFY_RULES).flatMap(([id, summary]) => {
    const found = violations.get(id as VerifyRuleId) ?? []
    const verdict = found.length === 0 ? paint('green', 'holds ') : paint('red', 'FAILS ')
    const shown = found.slice(0, MAX_SHOWN_VIOLATIONS)
    const details = shown.map(({ location, to, detail }) => `${location}, to ${to}: ${detail}`)
    if (found.length > shown.length) details.push(`and ${found.length - shown.length} more`)
    return [
      `${verdict}  ${id.padEnd(12)}  ${summary}`,
      ...details.map((detail) => `          ${escapeControlCharacters(detail)}`),
    ]
  })
}

export function createCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('verify')
      .description(
        'Reads requests, responses, streams, stored conversations, messages of libraries and recorded exchanges, and translates each into every dialect. ' +
          'Shows which translations lose something, and whether the rules hold: identical in its own format, valid and ' +
          'readable in the others, and every loss reported. Exit code 5 if a rule fails.',
      )
      .argument('[paths...]', 'files and folders (.json, .jsonl, .ndjson, .sse); standard input if omitted')
      .addOption(createFormatOption('-f, --from <format>', 'the format of the input; detected if omitted'))
      .addOption(createKindOption())
      .addOption(createRegistryOption())
      .option('--json', 'print JSON')
      .action((paths: readonly string[], options: VerifyOptions) => runVerify(paths, options, terminal)),
    [
      ['One request', 'interlingua verify request.json'],
      ['All files of a folder', 'interlingua verify .'],
      ['Print JSON', 'cat log.jsonl | interlingua verify --json'],
    ],
  )
}
