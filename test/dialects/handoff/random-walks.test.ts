import fc from 'fast-check'
import { type ChatRequest, type DialectName, dialects, type Loss, type Message, repair } from 'interlingua'
import { expect, test } from 'vitest'
import { anyMessage } from '../../arbitraries.ts'
import { expectSame } from '../../law-assertions.ts'
import { traced, vanished } from '../find-lost-values.ts'
import { bare, covers } from '../json-leaves.ts'
import { all } from './public-issues.ts'
import { answered } from './send.ts'

/** The number of conversations, and the highest number of hand-overs. */
const WALKS = process.env['SOAK'] ? 5_000 : 80
const LIMIT = process.env['SOAK'] ? 600_000 : 120_000
const HOPS = 10

/** Lists the marks in the readable content of a part. */
const marksIn = ({ extra: _extra, ...part }: Message['content'][number]): readonly string[] =>
  JSON.stringify(part).match(/m\d{4}q/g) ?? []

/** Returns true if a loss reports that a message, or something in it, was moved. */
const isMoved = (losses: readonly Loss[], index: number): boolean =>
  losses.some(
    ({ path, action }) =>
      action === 'moved' && (covers(`/messages/${index}`, path) || covers(path, `/messages/${index}`)),
  )

/** Lists the marks of a conversation in the order of its parts, without those that were lost or moved. */
function inOrder(messages: readonly Message[], skips: (index: number) => boolean): readonly string[] {
  return messages.flatMap(({ content }, index) =>
    skips(index) ? [] : content.flatMap((part) => marksIn(part).slice(0, 1)),
  )
}

/**
 * Checks one hand-over: the input is not changed, and the body has the same content in the same order, or a
 * loss names the difference.
 */
function hop(request: ChatRequest, to: DialectName): void {
  const messages = [...request.messages]
  const before = JSON.stringify(request)
  const { value, losses } = dialects[to].encodeRequest(request)
  expectSame(JSON.stringify(request), before)
  const { path } = dialects[to].endpoint(request)
  const back = dialects[to].decodeRequest(value, { path }).value
  expect(vanished(request, back, losses)).toEqual([])
  const places = new Map<string, number>()
  const parts = [...back.messages].flatMap(({ content }) => content)
  for (const [place, part] of parts.entries())
    for (const mark of marksIn(part)) if (!places.has(mark)) places.set(mark, place)
  const found = inOrder(messages, (index) => isMoved(losses, index)).flatMap((mark) => places.get(mark) ?? [])
  expectSame(
    found,
    found.toSorted((one, other) => one - other),
  )
}

test('ten hand-overs of any conversation lose nothing without a report', () => {
  const walk = fc.array(fc.constantFrom(...all), { minLength: HOPS, maxLength: HOPS })
  let walked = 0
  const property = fc.property(fc.array(anyMessage, { maxLength: 5 }), walk, (generated, targets) => {
    const tidy = repair(bare(generated))
    let request: ChatRequest = traced({
      model: 'a-model',
      messages: JSON.parse(JSON.stringify(tidy)) as readonly Message[],
    })
    for (const to of targets) {
      hop(request, to)
      request = answered(request, to)
    }
    walked += 1
  })
  fc.assert(property, { numRuns: WALKS, interruptAfterTimeLimit: LIMIT })
  expect(walked).toBeGreaterThanOrEqual(Math.min(WALKS, 200))
}, 600_000)
