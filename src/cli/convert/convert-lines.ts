import { readLineBatches } from '../input/read-line-batches.ts'
import { isUnwritableFileError } from '../output-file.ts'
import type { ConversionContext } from './conversion-context.ts'
import { BatchConverter } from './batch-converter.ts'
import { mapInOrder } from './map-in-order.ts'
import { ProgressBar } from './progress-bar.ts'

/** Converts line by line, large inputs on several threads. Memory holds a window of the input, whatever its size. */
export async function convertLines(conversion: ConversionContext): Promise<void> {
  const { terminal, options, source, output, report } = conversion
  const progress = new ProgressBar(terminal, source.sizeBytes, options.quiet === true)
  const converter = await BatchConverter.create(conversion)
  let lineCount = 0
  let isStopped = false
  let hasConverted = false
  try {
    const batches = readLineBatches(progress.countBytes(source.bytes))
    const results = mapInOrder(batches, (batch) => converter.convert(batch), converter.window)
    for await (const result of results) {
      if (result.output.length > 0) await output.write(result.output)
      hasConverted ||= result.convertedCount > 0
      report.addBatch(result, lineCount)
      if (result.faults.length > 0) await progress.clear()
      for (const { line, error } of result.faults)
        await report.addDescribedFault({ file: source.name, line: lineCount + line }, error)
      lineCount += result.lineCount
      await progress.draw(lineCount, report.counts.lossCount)
      isStopped = result.faults.length > 0 && options.keepGoing !== true
      if (isStopped) break
    }
  } catch (error) {
    if (terminal.signal.aborted || isUnwritableFileError(error)) throw error
    // The source itself failed, such as with a disk error. No line can follow.
    await progress.clear()
    await report.addFault({ file: source.name, line: lineCount + 1 }, error)
    isStopped = options.keepGoing !== true
  } finally {
    await progress.clear()
    await converter.close()
  }
  if (!isStopped && hasConverted) await output.commit()
  await report.printSummary()
}
