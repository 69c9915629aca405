import { describe, expect, test } from 'vitest'
import { type DialectName, dialects } from 'interlingua'
import { buildPlayback, splitStream } from '../../../src/studio/page/streams/build-playback.ts'
import {
  createPartJoiner,
  formatWire,
  type PlaybackStep,
} from '../../../src/studio/page/streams/playback-parts.ts'
import { getStreamCodec } from '../../../src/dialects/engine/define-dialect.ts'
import { createStreamTextReader } from '../../../src/dialects/engine/stream-text-reader.ts'
import type { JsonObject } from '../../../src/wire/json.ts'
import { streamSamples } from '../../../src/studio/page/lens/lens-samples.ts'

const names = Object.keys(dialects) as DialectName[]

/** The first sample, which has content of every kind. */
const sample = buildPlayback(streamSamples[0]?.text ?? '')

/** Returns the sample as a stream of a dialect. */
async function writeStream(name: DialectName): Promise<string> {
  const { steps } = await sample
  return steps.map(({ received }) => received[name] ?? '').join('')
}

async function* yieldText(text: string): AsyncGenerator<string> {
  yield text
}

async function translate(text: string, from: DialectName, to: DialectName): Promise<string> {
  const readText = createStreamTextReader(getStreamCodec(dialects[to]))
  let result = ''
  for await (const bytes of dialects[to].encodeStream(dialects[from].decodeStream(yieldText(text))))
    result += readText(bytes)
  return result
}

/** Times and generated ids differ between two runs. */
const withoutTimes = (text: string): string =>
  text.replace(/"(created|created_at|createTime|updated|responseId|id|\w+_id)":("[^"]*"|\d+)/g, '"$1":0')

describe.each(names)('a stream of %s', (name) => {
  test('is played event by event, and clients of every dialect receive the whole stream', async () => {
    const text = await writeStream(name)
    const { name: found, steps, errors } = await buildPlayback(text, name)
    expect(found).toBe(name)
    expect(errors).toEqual({})
    expect(steps.map(({ wire }) => wire).join('')).toBe(text)
    expect(steps.length).toBeGreaterThan(5)
    for (const to of names) {
      const received = steps.map((step) => step.received[to] ?? '').join('')
      expect(withoutTimes(received)).toBe(withoutTimes(await translate(text, name, to)))
    }
    const parts = createPartJoiner(steps)(steps.length)
    expect(parts.find(({ type }) => type === 'text')?.text).toBe('Take a raincoat. I will check tomorrow.')
    expect(parts.find(({ type }) => type === 'tool-call get_weather')?.text.replaceAll(' ', '')).toBe(
      '{"city":"Oslo","day":"tomorrow"}',
    )
  })

  test('each step has the canonical events of the stream up to it', async () => {
    const chunks = splitStream(await writeStream(name))
    const { steps } = await buildPlayback(chunks.join(''), name)
    const half = Math.floor(chunks.length / 2)
    const start = await buildPlayback(chunks.slice(0, half).join(''), name)
    const listTypes = (list: typeof steps): readonly unknown[] =>
      list.slice(0, half).map(({ events }) => events.map((event) => event['type']))
    expect(listTypes(start.steps)).toEqual(listTypes(steps))
  })
})

test('the samples are recognized', async () => {
  for (const { text } of streamSamples) {
    const { steps, detections } = await buildPlayback(text)
    expect(detections.length).toBeGreaterThan(0)
    expect(steps.length).toBeGreaterThan(3)
  }
})

test('text is split into server-sent events, lines and items; the joined events are the text', () => {
  for (const [text, count] of [
    ['data: {"a":1}\n\ndata: {"b":2}\r\n\r\n', 2],
    ['event: x\ndata: 1\n\n\n\ndata: 2', 2],
    ['event: x\r\ndata: 1\r\n\r\nevent: y\r\ndata: 2\r\n\r\n', 2],
    ['event: x\rdata: 1\r\rdata: 2', 2],
    ['{"a":1}\n{"b":2}\n\n', 2],
    ['[{"a":1},\n{"b":[{"c":"]"}]}]\n', 2],
    ['[{"a":1},{"b":', 2],
    ['', 0],
  ] as const) {
    expect(splitStream(text).join('')).toBe(text)
    expect(splitStream(text)).toHaveLength(count)
  }
})

test('the answer so far follows corrections, and starts again with the stream', () => {
  const step = (...events: JsonObject[]): PlaybackStep => ({ wire: '', label: '', events, received: {} })
  const steps = [
    step({ type: 'start' }, { type: 'text-delta', index: 0, text: 'lost' }),
    step({ type: 'start' }, { type: 'part-start', index: 0, part: { type: 'text', text: '' } }),
    step({ type: 'text-delta', index: 0, text: 'Rain' }),
    step({ type: 'part-end', index: 0, part: { type: 'text', text: 'Snow' }, replaces: true }),
  ]
  const join = createPartJoiner(steps)
  for (const [end, text] of [
    [3, 'Rain'],
    [4, 'Snow'],
    [3, 'Rain'],
  ] as const)
    expect(join(end)).toEqual([{ type: 'text', text }])
})

test('JSON of wire events is formatted', () => {
  expect(formatWire('event: a\ndata: {"b":1}\n\n')).toBe('event: a\ndata: {\n  "b": 1\n}')
  expect(formatWire('data: [DONE]\n\n')).toBe('data: [DONE]')
})

test('other text is an error with a hint', async () => {
  await expect(buildPlayback('Hello')).rejects.toMatchObject({
    code: 'invalid-stream',
    hint: expect.any(String),
  })
})
