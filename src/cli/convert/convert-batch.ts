import type { Loss, Translation } from '../../canonical/model/loss.ts'
import { describeError, type ErrorDescription } from '../error-output.ts'
import { isBlank, splitLines } from '../input/bytes-to-text.ts'
import { decodeDocument } from '../input/input-document.ts'
import type { InputFormatOptions } from '../input/input-format-names.ts'
import { parseJsonText } from '../input/input-layout.ts'
import { type ConversionTarget, encodeInputDocument, throwOnStrictLoss } from './encode-input-document.ts'
import { type LossCount, LossCounter } from './loss-counter.ts'

/** The options of a conversion that each line needs, as plain data for worker threads. */
export interface LineConversionOptions extends InputFormatOptions, ConversionTarget {
  readonly strict?: boolean
  readonly keepGoing?: boolean
}

/** What a thread needs to start. */
export interface ThreadData {
  readonly options: LineConversionOptions
  /** The module of the registry, which every thread loads for itself. */
  readonly registryUrl: string | undefined
}

/** A line that cannot be converted. The number counts from the first line of its batch, which is 1. */
interface LineFault {
  readonly line: number
  readonly error: ErrorDescription
}

/** The conversion of a batch of lines, as plain data: worker threads send it to the main thread. */
export interface BatchResult {
  /** The converted lines. */
  readonly output: Uint8Array<ArrayBuffer>
  readonly lineCount: number
  readonly convertedCount: number
  readonly losses: readonly LossCount[]
  readonly faults: readonly LineFault[]
}

/** Converts each line of a batch. Without `keepGoing`, the first line that cannot be converted ends it. */
export function convertBatch(bytes: Uint8Array, options: LineConversionOptions): BatchResult {
  const lines = splitLines(bytes)
  const losses = new LossCounter()
  const faults: LineFault[] = []
  const converted: string[] = []
  for (const [index, text] of lines.entries()) {
    if (isBlank(text)) continue
    const line = index + 1
    try {
      const { value, losses: found } = convertLine(text, options)
      converted.push(`${JSON.stringify(value)}\n`)
      for (const loss of found) losses.add(loss, line)
    } catch (error) {
      faults.push({ line, error: describeError(error) })
      if (options.keepGoing !== true) break
    }
  }
  return {
    output: new TextEncoder().encode(converted.join('')),
    lineCount: lines.length,
    convertedCount: converted.length,
    losses: losses.toList(),
    faults,
  }
}

/** Returns the result of a line that cannot be read. Its end is part of the next batch. */
export function createUnreadableBatch(error: unknown): BatchResult {
  const faults = [{ line: 1, error: describeError(error) }]
  return { output: new Uint8Array(0), lineCount: 0, convertedCount: 0, losses: [], faults }
}

function convertLine(text: string, options: LineConversionOptions): Translation<unknown> {
  const { content, detected, losses: decodeLosses } = decodeDocument(parseJsonText(text), options)
  const { value, losses } = encodeInputDocument(content, options, detected.name)
  const all: readonly Loss[] = [...decodeLosses, ...losses]
  throwOnStrictLoss(all, options)
  return { value, losses: all }
}
