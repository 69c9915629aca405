import { dialects, translateStream } from 'interlingua'
import { describe, expect, test } from 'vitest'
import type { DialectName, EncodedStream } from 'interlingua'
import { hasCorpus } from '../recorded-exchanges.ts'
import { subjects } from './dialect-table.ts'
import { sampleRecordings, sharedTargets } from './pair-shares.ts'
import { collect, source } from './stream-responses.ts'

/** Options with ids and times that are the same for both. */
function createIdentity(): { newId: (prefix: string) => string; now: () => number } {
  let count = 0
  return { newId: (prefix) => `${prefix}_${count++}`, now: () => 0 }
}

async function readAll(stream: EncodedStream): Promise<unknown> {
  const bytes = Buffer.concat(await collect(stream)).toString('latin1')
  return { bytes, losses: await stream.losses }
}

/** Reads a stream with the two functions that `translateStream` joins. */
async function translateInSteps(
  text: string,
  from: DialectName,
  to: DialectName,
  exact: boolean,
): Promise<unknown> {
  const options = { ...createIdentity(), exact }
  return readAll(dialects[to].encodeStream(dialects[from].decodeStream(source(text), options), options))
}

describe.skipIf(!hasCorpus).each(subjects)('recorded streams of $name', (subject) => {
  const { name: from, streams } = subject
  const cases = sampleRecordings(streams).map((stream, index) => ({
    ...stream,
    targets: [subject, ...sharedTargets(subject, streams, index)],
  }))

  test.each(cases)(
    '$name has the same bytes and losses as when it is decoded and encoded',
    async ({ text, targets }) => {
      for (const { name: to } of targets)
        for (const exact of [true, false]) {
          const translated = translateStream(source(text), { from, to, exact, ...createIdentity() })
          expect(await readAll(translated)).toEqual(await translateInSteps(text, from, to, exact))
        }
    },
  )
})
