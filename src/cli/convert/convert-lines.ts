import type { Translation } from '../../canonical/model/loss.ts'
import { decodeDocument } from '../input/document.ts'
import { type ByteChunks, readLines } from '../input/bytes-to-text.ts'
import { parseJsonText } from '../input/layout.ts'
import { isUnwritableFileError } from '../output-file.ts'
import { ProgressBar } from './progress-bar.ts'
import {
  type ConversionContext,
  type ConvertOptions,
  encodeDocument,
  throwOnStrictLoss,
} from './conversion.ts'

/** Converts line by line. Memory holds one chunk of the input and its lines, whatever the file size. */
export async function convertLines(conversion: ConversionContext): Promise<void> {
  const { terminal, options, source, output, report } = conversion
  const progress = new ProgressBar(terminal, source.sizeBytes)
  const convertedLines: string[] = []
  const flush = async (): Promise<void> => {
    if (convertedLines.length > 0) await output.write(convertedLines.splice(0).join(''))
  }
  let number = 0
  let isStopped = false
  let hasConverted = false
  try {
    const bytes = afterEachChunk(progress.countBytes(source.bytes), flush)
    for await (const line of readLines(bytes, terminal.signal)) {
      number = line.lineNumber
      try {
        const { value, losses } = convertLine(line.text, options)
        convertedLines.push(`${JSON.stringify(value)}\n`)
        hasConverted = true
        await report.addConverted(losses, false)
      } catch (error) {
        await progress.clear()
        await report.addFault({ file: source.name, line: number, error })
        isStopped = options.keepGoing !== true
        if (isStopped) break
      }
    }
  } catch (error) {
    if (terminal.signal.aborted || isUnwritableFileError(error)) throw error
    // The source itself failed: an overlong line or a disk error. No line can follow.
    await report.addFault({ file: source.name, line: number + 1, error })
    isStopped = options.keepGoing !== true
  } finally {
    await progress.clear()
  }
  await flush()
  if (!isStopped && hasConverted) await output.commit()
  await report.printSummary()
}

/** Converts the conversations of a list, and writes one per line. */
export async function convertRecords(
  records: readonly unknown[],
  { terminal, options, source, output, report }: ConversionContext,
): Promise<void> {
  let isStopped = false
  for (const [index, record] of records.entries()) {
    terminal.signal.throwIfAborted()
    try {
      const { value, losses } = convertValue(record, options)
      await output.write(`${JSON.stringify(value)}\n`)
      await report.addConverted(losses, false)
    } catch (error) {
      if (isUnwritableFileError(error)) throw error
      await report.addFault({ file: source.name, line: index + 1, error })
      isStopped = options.keepGoing !== true
      if (isStopped) break
    }
  }
  if (!isStopped && records.length > 0) await output.commit()
  await report.printSummary()
}

function convertLine(text: string, options: ConvertOptions): Translation<unknown> {
  return convertValue(parseJsonText(text), options)
}

function convertValue(given: unknown, options: ConvertOptions): Translation<unknown> {
  const { content, detected, losses: decodeLosses } = decodeDocument(given, options)
  const { value, losses } = encodeDocument(content, options, detected.name)
  const all = [...decodeLosses, ...losses]
  throwOnStrictLoss(all, options)
  return { value, losses: all }
}

/** Calls `flush` before the next chunk: by then all lines of the previous chunk have been consumed. */
async function* afterEachChunk(bytes: ByteChunks, flush: () => Promise<void>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    yield chunk
    await flush()
  }
}
