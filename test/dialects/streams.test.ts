import type { ChatEvent } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { FrameReader, FrameWriter } from '../../src/dialects/frames.ts'
import { hasCorpus, recorded } from '../corpus.ts'
import { expectSame } from '../laws.ts'
import { codecs, payloads } from './stream-codecs.ts'
import { subjects } from './subjects.ts'

describe.skipIf(!hasCorpus).each(codecs)('recorded streams of $name', ({ name, reader, writer, kindOf }) => {
  const streams = recorded(name).filter(({ stream }) => typeof stream === 'string')

  test('there are some', () => {
    const least = subjects.find((subject) => subject.name === name)?.row.recorded.stream ?? 0
    expect(streams.length).toBeGreaterThan(least)
  })

  test.each(streams)('$id goes out payload for payload as it came in', ({ stream }) => {
    const wire = payloads(stream ?? '')
    const frames = new FrameReader(name, reader(), kindOf, writer())
    const events: ChatEvent[] = [...wire.flatMap((payload) => frames.read(payload)), ...frames.end()]
    const out = new FrameWriter(name, writer())
    const written = events.flatMap((event) => out.write(event))
    expectSame(written, wire)
  })
})
