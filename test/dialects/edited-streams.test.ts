import { type ChatEvent, dialects } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { hasCorpus, recorded } from '../recorded-exchanges.ts'
import { collect, identity, source, streamNames, encodeStreamText } from './stream-responses.ts'
import { bare } from './json-leaves.ts'

/** Replaces each text by a unique one. Returns the changed events and the old texts. */
function edited(events: readonly ChatEvent[]): { readonly events: ChatEvent[]; readonly gone: string[] } {
  const gone: string[] = []
  const changed = events.map((event, index) => {
    if (!('text' in event)) return event
    gone.push(event.text)
    return { ...event, text: `edited ${index}.` }
  })
  return { events: changed, gone }
}

describe.skipIf(!hasCorpus).each(streamNames)('recorded streams of %s, edited', (name) => {
  const streams = recorded(name).filter(({ stream }) => typeof stream === 'string')

  test.each(streams)('$id contains the new texts and none of the old ones', async ({ stream }) => {
    const { events, gone } = edited(
      await collect(dialects[name].decodeStream(source(stream ?? ''), identity)),
    )
    const { text } = await encodeStreamText(name, events)
    for (const event of events) if ('text' in event) expect(text).toContain(event.text)
    // Calls, results and citations were not edited and may contain the same text. Short texts occur
    // everywhere.
    const others = JSON.stringify(bare(events))
    const long = gone.filter((each) => each.length >= 24).map((each) => JSON.stringify(each).slice(1, -1))
    expect(long.filter((each) => text.includes(each) && !others.includes(each))).toEqual([])
  })
})
