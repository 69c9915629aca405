import { Command } from 'commander'
import { addExamples } from '../command-examples.ts'
import { createFlavorOption, createFormatOption, createKindOption } from '../input/format-options.ts'
import type { Terminal } from '../command-io.ts'
import { detect, type Detection } from '../../dialects/engine/detect.ts'
import type { Flavor } from '../../dialects/engine/dialect.ts'
import { type FormatName, readDocument, type InputFormatOptions } from '../input/document.ts'
import { peekFirstLine } from '../input/peek.ts'
import { parseJsonText, detectLayout } from '../input/layout.ts'
import { openSource, type InputSource } from '../input/source.ts'
import { encodeToBytes, decodeBytes } from '../input/bytes-to-text.ts'
import { isUnwritableFileError, openOutput, type CommandOutput } from '../output-file.ts'
import { convertLines } from './convert-lines.ts'
import { ConversionReport } from './conversion-report.ts'
import { convertStream } from './convert-stream.ts'
import { refuseLosses, encodeContent } from './conversion.ts'

export interface ConvertOptions {
  readonly to: FormatName
  readonly from?: FormatName
  readonly kind?: Detection['kind']
  readonly output?: string
  readonly model?: string
  readonly flavor?: Flavor
  readonly strict?: boolean
  readonly keepGoing?: boolean
  readonly json?: boolean
}

/** One conversion under way. */
export interface Conversion {
  readonly terminal: Terminal
  readonly options: ConvertOptions
  readonly source: InputSource
  readonly output: CommandOutput
  readonly report: ConversionReport
}

/** Converts a file or standard input: a body, a stored conversation, a stream, or lines of them. */
export async function runConvert(
  file: string | undefined,
  options: ConvertOptions,
  terminal: Terminal,
): Promise<void> {
  const report = new ConversionReport(terminal, options.json === true)
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
  report.exitOnFault()
}

const converters = { whole: convertDocument, lines: convertLines, stream: convertStream }

async function convertDocument(conversion: Conversion): Promise<void> {
  const { source, options, report, output } = conversion
  try {
    const text = await decodeBytes(source.bytes)
    const value = parseJsonText(text)
    if (Array.isArray(value) && isStream(text, options)) {
      return await convertStream({ ...conversion, source: { ...source, bytes: encodeToBytes(text) } })
    }
    const document = readDocument(value, options)
    if (isUncertain(document.detected))
      await report.printRemark(`Read as ${document.detected.name}; if it is not, say so with --from.`)
    const { value: written, losses } = encodeContent(document.content, options)
    const all = [...document.losses, ...losses]
    await report.addConverted(all, true)
    refuseLosses(all, options)
    await output.write(`${JSON.stringify(written, null, 2)}\n`)
    await output.commit()
  } catch (error) {
    if (conversion.terminal.signal.aborted || isUnwritableFileError(error)) throw error
    await report.addFault({ file: source.name, error })
  }
}

/** Whether a list is the pieces of a streamed answer, as Gemini sends them without events. */
function isStream(text: string, { from, kind }: InputFormatOptions): boolean {
  if (kind !== undefined) return kind === 'stream'
  return detect(text).some((each) => each.kind === 'stream' && (from === undefined || each.name === from))
}

/** Below this a body could as well be one of another format. */
const MIN_CERTAINTY = 0.5

function isUncertain({ certainty, evidence }: Detection): boolean {
  return certainty < MIN_CERTAINTY && evidence !== 'told so'
}

export function createConvertCommand(terminal: Terminal): Command {
  return addExamples(
    new Command('convert')
      .description(
        'Translates a file, or standard input, into another form. What it is, is found out: a request, a response, a stream, ' +
          `a stored conversation, or one of them a line (JSONL). What does not come through unchanged is told on standard error.`,
      )
      .argument('[file]', 'the file to read; standard input where it is left out or -')
      .addOption(createFormatOption('-t, --to <form>', 'what it is to become').makeOptionMandatory())
      .addOption(createFormatOption('-f, --from <form>', 'what it is, where that is not found out by itself'))
      .addOption(createKindOption())
      .option('-o, --output <file>', 'the file to write: it appears whole or not at all')
      .option('-m, --model <name>', 'the model that a request asks')
      .addOption(createFlavorOption())
      .option('--strict', 'refuse what would lose meaning')
      .option('--keep-going', 'pass over what cannot be converted, and convert the rest')
      .option('--json', 'tell losses and faults as JSON, one a line')
      .action((file: string | undefined, options: ConvertOptions) => runConvert(file, options, terminal)),
    [
      ['A request for OpenAI as one for Anthropic', 'interlingua convert request.json --to anthropic'],
      ['Through pipes', 'cat request.json | interlingua convert --to gemini > gemini.json'],
      [
        'A log of requests, line by line',
        'interlingua convert log.jsonl --to ollama -o out.jsonl --keep-going',
      ],
      ['A streamed answer', 'interlingua convert answer.sse --to openai-chat'],
      ['Refuse to lose anything', 'interlingua convert request.json --to openai-responses --strict'],
    ],
  )
}
