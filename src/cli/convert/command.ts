import { Command } from 'commander'
import { createRegistryOption } from '../registry.ts'
import { addCommandExamples } from '../command-examples.ts'
import {
  createFlavorOption,
  createFormatOption,
  createInputFormatOption,
  createKindOption,
  parsePositiveInteger,
} from '../input/format-options.ts'
import type { Terminal } from '../command-io.ts'
import type { Detection } from '../../dialects/engine/detect.ts'
import { decodeDocument } from '../input/input-document.ts'
import { FROM_OPTION_EVIDENCE, WRITABLE_FORMAT_NAMES } from '../input/input-format-names.ts'
import { listConversations } from '../input/library-messages.ts'
import { peekFirstLine } from '../input/peek-input.ts'
import { detectLayout, isStreamArray, parseDocumentText } from '../input/input-layout.ts'
import { openSource } from '../input/input-source.ts'
import { describeIssues } from '../input/transcripts.ts'
import { encodeToBytes, decodeBytes } from '../input/bytes-to-text.ts'
import { isUnwritableFileError, openOutput } from '../output-file.ts'
import { convertLines } from './convert-lines.ts'
import { ConversionReporter, writeReportFile } from './conversion-reporter.ts'
import { convertStream } from './convert-stream.ts'
import { encodeInputDocument, formatDocumentOutput, throwOnStrictLoss } from './encode-input-document.ts'
import type { ConversionContext, ConvertOptions } from './conversion-context.ts'

async function runConvert(terminal: Terminal, options: ConvertOptions, file?: string): Promise<void> {
  const report = new ConversionReporter(terminal, options)
  const opened = await openSource(file, terminal)
  const peeked = await peekFirstLine(opened.bytes)
  const source = { ...opened, bytes: peeked.bytes }
  const output = await openOutput(options.output, terminal)
  try {
    const conversion = { terminal, options, source, output, report }
    await converters[detectLayout(peeked, source.name, options)](conversion)
  } finally {
    await output.discard()
  }
  if (options.report !== undefined) await writeReportFile(options.report, report.counts, terminal)
  report.exitOnFault()
}

const converters = { document: convertDocument, lines: convertLines, stream: convertStream }

async function convertDocument(conversion: ConversionContext): Promise<void> {
  const { source, options, report, output } = conversion
  try {
    const text = await decodeBytes(source.bytes)
    const value = parseDocumentText(text, options)
    if (isStreamArray(value, text, options)) {
      return await convertStream({ ...conversion, source: { ...source, bytes: encodeToBytes(text) } })
    }
    const records = listConversations(value, options)
    if (records !== undefined) {
      // One conversation per line, as in a file of lines.
      const lines = records.map((record) => JSON.stringify(record)).join('\n')
      return await convertLines({ ...conversion, source: { ...source, bytes: encodeToBytes(lines) } })
    }
    const document = decodeDocument(value, options)
    if (isUncertain(document.detected))
      await report.printRemark(
        `The input was read as ${document.detected.name}, with low certainty. If that is wrong, set --from.`,
      )
    if (document.transcript !== undefined)
      for (const issue of describeIssues(document.transcript)) await report.printRemark(issue)
    const { value: encoded, losses } = encodeInputDocument(document.content, options, document.detected.name)
    const all = [...document.losses, ...losses]
    await report.addConverted(all)
    throwOnStrictLoss(all, options)
    await output.write(formatDocumentOutput(encoded, options.to))
    await output.commit()
  } catch (error) {
    if (conversion.terminal.signal.aborted || isUnwritableFileError(error)) throw error
    await report.addFault({ file: source.name }, error)
  }
}

/** Below this certainty, a body could as well be in another format. */
const MIN_CERTAINTY = 0.5

function isUncertain({ certainty, evidence }: Detection): boolean {
  return certainty < MIN_CERTAINTY && evidence !== FROM_OPTION_EVIDENCE
}

export function createCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('convert')
      .description(
        'Translates a file or standard input into another format. The input format is detected automatically: a request, ' +
          'response, stream, stored conversation or list of messages, or one of these per line (JSONL). Losses and notes are printed to standard error.',
      )
      .argument('[file]', 'the input file; omit it or pass - for standard input')
      .addOption(
        createFormatOption(
          '-t, --to <format>',
          'the format to write',
          WRITABLE_FORMAT_NAMES,
        ).makeOptionMandatory(),
      )
      .addOption(createInputFormatOption())
      .addOption(createKindOption())
      .option('-o, --output <file>', 'the file to write; replaced only after everything succeeded')
      .option('-m, --model <name>', 'the model to set in the request')
      .addOption(createFlavorOption())
      .addOption(createRegistryOption())
      .option('--strict', 'fail if anything would be lost')
      .option('--keep-going', 'skip input that cannot be converted, and convert the rest')
      .option(
        '--report <file>',
        'count the losses and errors in a file: JSON if its name ends with .json, otherwise a table',
      )
      .option(
        '--threads <number>',
        'the number of threads that convert lines (default: one per core if the input is large)',
        parsePositiveInteger,
      )
      .option('-q, --quiet', 'print only errors: no losses, no progress and no summary')
      .option('--json', 'print losses and errors as JSON, one per line')
      .action((file: string | undefined, options: ConvertOptions) => runConvert(terminal, options, file)),
    [
      ['Translate an OpenAI request for Anthropic', 'interlingua convert request.json --to anthropic'],
      ['Read from a pipe', 'cat request.json | interlingua convert --to gemini > gemini.json'],
      [
        'Translate a log of requests, line by line',
        'interlingua convert log.jsonl --to ollama -o out.jsonl --keep-going',
      ],
      ['A streamed response', 'interlingua convert answer.sse --to openai-chat'],
      [
        'The messages alone',
        `echo '[{"role":"user","content":"Hi"}]' | interlingua convert --from openai-chat --to anthropic`,
      ],
      ['As messages of another library', 'interlingua convert request.json --to langchain'],
      ['Fail if anything would be lost', 'interlingua convert request.json --to openai-responses --strict'],
    ],
  )
}
