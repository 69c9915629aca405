import type { Translated } from '../../canonical/model/loss.ts'
import { readDocument } from '../input/document.ts'
import { linesOf } from '../input/lines.ts'
import { parseText } from '../input/shape.ts'
import { isUnwritable } from '../output-file.ts'
import type { Conversion, ConvertOptions } from './convert.ts'
import { Progress } from './progress.ts'
import { refuseLosses } from './strict.ts'
import { writeContent } from './write.ts'

/** Converts line by line: memory holds one piece of the input and its lines, however long the whole is. */
export async function convertLines(conversion: Conversion): Promise<void> {
  const { terminal, options, source, output, report } = conversion
  const progress = new Progress(terminal, source.size)
  const ready: string[] = []
  const flush = async (): Promise<void> => {
    if (ready.length > 0) await output.write(ready.splice(0).join(''))
  }
  let number = 0
  let stopped = false
  try {
    for await (const line of linesOf(before(progress.watch(source.bytes), flush), terminal.signal)) {
      number = line.number
      try {
        const { value, losses } = convertLine(line.text, options)
        ready.push(`${JSON.stringify(value)}\n`)
        await report.converted(losses, false)
      } catch (error) {
        await progress.clear()
        await report.fault({ file: source.name, line: number, error })
        stopped = options.keepGoing !== true
        if (stopped) break
      }
    }
  } catch (error) {
    if (terminal.signal.aborted || isUnwritable(error)) throw error
    // The source itself: a line without an end in sight, or a disk that fails. Nothing can follow.
    await report.fault({ file: source.name, line: number + 1, error })
    stopped = options.keepGoing !== true
  } finally {
    await progress.clear()
  }
  await flush()
  if (!stopped) await output.commit()
  await report.summary()
}

function convertLine(text: string, options: ConvertOptions): Translated<unknown> {
  const { content, losses: before } = readDocument(parseText(text), options)
  const { value, losses } = writeContent(content, options)
  const all = [...before, ...losses]
  refuseLosses(all, options)
  return { value, losses: all }
}

/** Acts before each piece is asked for: by then all lines of the piece before it have been taken. */
async function* before(
  bytes: AsyncIterable<Uint8Array>,
  act: () => Promise<void>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of bytes) {
    yield chunk
    await act()
  }
}
