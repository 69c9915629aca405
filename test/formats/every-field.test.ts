// Every field of the samples of every format, with each wrong value and without the field. The laws of `hostile-messages.test.ts`
// and `hostile.test.ts` take some generated ones.
import { isDeepStrictEqual } from 'node:util'
import {
  fromMessages,
  fromTranscript,
  type MessageFormatName,
  type TranscriptIssue,
} from 'interlingua/formats'
import { describe, expect, test } from 'vitest'
import { again, expectSame } from '../law-assertions.ts'
import { formatRows } from './messages/format-table.ts'
import { inputsByFormat } from './messages/recognized-inputs.ts'
import { expectReadOrRefused } from './shared-laws.ts'
import { findMissingTexts, parseRecords } from './transcripts/record-texts.ts'
import { samples } from './transcripts/sample-files.ts'
import { breakEveryField } from './wrong-values.ts'

const writers = new Map(formatRows.map(({ name, format }) => [name, format]))

/** Returns what a format writes of its own messages; undefined for a format without a writer, or with a reported loss. */
function restore(name: string, input: unknown): unknown {
  const { value, losses } = fromMessages(input, { from: name as MessageFormatName })
  const written = writers.get(name)?.toMessages(value).value
  return written === undefined || losses.length > 0 ? undefined : again(written)
}

describe('a wrong value is refused with its path, restored or reported:', () => {
  const inputs = Object.entries(inputsByFormat).flatMap(([name, byTitle]) =>
    Object.entries(byTitle).map(([title, input]) => ({ name, title, input })),
  )
  test.each(inputs)('$name, $title', ({ name, input }) => {
    // Older versions and session files are converted: they are not what the format writes.
    const isRestored = isDeepStrictEqual(restore(name, input), input)
    for (const broken of breakEveryField(input))
      expectReadOrRefused(() => {
        const restored = restore(name, broken)
        if (isRestored && restored !== undefined) expectSame(restored, again(broken))
      })
  })
})

/** Times are read as times, and ids of missing records are an issue. */
const isReadDifferently = (text: string, issues: readonly TranscriptIssue[]): boolean =>
  /^\d{4}-\d\d-\d\dT/.test(text) ||
  (/^[\w-]+$/.test(text) && issues.some(({ code }) => code === 'missing-parent'))

test.each(Object.entries(samples).filter(([, [, input]]) => typeof input === 'string'))(
  'a wrong value in a transcript of %s prevents nothing else from being read',
  (_, [format, input]) => {
    for (const broken of breakEveryField(parseRecords(input as string), [undefined, 0, {}]))
      expectReadOrRefused(() => {
        const transcript = fromTranscript(broken, { from: format })
        const missing = findMissingTexts(transcript, broken as readonly unknown[])
        expect(missing.filter((text) => !isReadDifferently(text, transcript.issues))).toEqual([])
      })
  },
)
