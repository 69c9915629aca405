import { detect, type Detected } from '../../dialects/detect.ts'
import type { Flavor } from '../../dialects/dialect.ts'
import { type FormName, readDocument, type Told } from '../input/document.ts'
import { peek } from '../input/peek.ts'
import { parseText, shapeOf } from '../input/shape.ts'
import { openSource, type Source } from '../input/source.ts'
import { bytesOf, textOfBytes } from '../input/text.ts'
import { isUnwritable, openOutput, type Output } from '../output-file.ts'
import type { Terminal } from '../terminal.ts'
import { convertLines } from './lines.ts'
import { Report } from './report.ts'
import { convertStream } from './stream.ts'
import { refuseLosses } from './strict.ts'
import { writeContent } from './write.ts'

export interface ConvertOptions {
  readonly to: FormName
  readonly from?: FormName
  readonly kind?: Detected['kind']
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
  readonly source: Source
  readonly output: Output
  readonly report: Report
}

/** Converts a file or standard input: a body, a stored conversation, a stream, or lines of them. */
export async function convert(
  file: string | undefined,
  options: ConvertOptions,
  terminal: Terminal,
): Promise<void> {
  const report = new Report(terminal, options.json === true)
  const opened = await openSource(file, terminal)
  const peeked = await peek(opened.bytes)
  const source = { ...opened, bytes: peeked.bytes }
  const output = await openOutput(options.output, terminal)
  try {
    const conversion = { terminal, options, source, output, report }
    await shapes[shapeOf(peeked, source.name, options)](conversion)
  } finally {
    await output.discard()
  }
  report.end()
}

const shapes = { whole: convertWhole, lines: convertLines, stream: convertStream }

async function convertWhole(conversion: Conversion): Promise<void> {
  const { source, options, report, output } = conversion
  try {
    const text = await textOfBytes(source.bytes)
    const value = parseText(text)
    if (Array.isArray(value) && isStream(text, options)) {
      return await convertStream({ ...conversion, source: { ...source, bytes: bytesOf(text) } })
    }
    const document = readDocument(value, options)
    if (isDoubtful(document.detected))
      await report.remark(`Read as ${document.detected.name}; if it is not, say so with --from.`)
    const { value: written, losses } = writeContent(document.content, options)
    const all = [...document.losses, ...losses]
    await report.converted(all, true)
    refuseLosses(all, options)
    await output.write(`${JSON.stringify(written, null, 2)}\n`)
    await output.commit()
  } catch (error) {
    if (conversion.terminal.signal.aborted || isUnwritable(error)) throw error
    await report.fault({ file: source.name, error })
  }
}

/** Whether a list is the pieces of a streamed answer, as Gemini sends them without events. */
function isStream(text: string, { from, kind }: Told): boolean {
  if (kind !== undefined) return kind === 'stream'
  return detect(text).some((each) => each.kind === 'stream' && (from === undefined || each.name === from))
}

/** Below this a body could as well be one of another format. */
const CERTAIN = 0.5

function isDoubtful({ certainty, evidence }: Detected): boolean {
  return certainty < CERTAIN && evidence !== 'told so'
}
