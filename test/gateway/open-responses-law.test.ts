import * as fc from 'fast-check'
import { assistant, type AssistantMessage, type AssistantPart } from 'interlingua'
import { createGateway, type Gateway } from 'interlingua/gateway'
import { scripted } from 'interlingua/providers'
import { mockProvider } from 'interlingua/testing/providers'
import { expect, test } from 'vitest'
import { RUNS } from '../arbitraries.ts'
import { eventSchema, type StreamEvent } from './open-responses-schema.ts'
import { createTestConfig, DIALECTS } from './upstreams.ts'

const word = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((text) => text.trim() !== '')
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))

const part: fc.Arbitrary<AssistantPart> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('reasoning' as const), text }),
  fc.record({
    type: fc.constant('tool-call' as const),
    id: fc.stringMatching(/^[A-Za-z0-9]{9}$/),
    name: fc.constantFrom('weather', 'search'),
    arguments: fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.oneof(word, fc.integer()), { maxKeys: 3 }),
  }),
)

const answer: fc.Arbitrary<AssistantMessage> = fc
  .record({
    parts: fc.uniqueArray(part, {
      minLength: 1,
      maxLength: 5,
      selector: (each) => (each.type === 'tool-call' ? each.id : each),
    }),
    reason: fc.constantFrom('stop', 'length'),
  })
  .map(({ parts, reason }) => {
    const hasCalls = parts.some(({ type }) => type === 'tool-call')
    return assistant(parts, { finish: { reason: hasCalls ? 'tool-calls' : reason } })
  })

interface Frame {
  readonly name: string
  readonly event: StreamEvent
}

async function readFrames(gateway: Gateway, model: string): Promise<{ frames: Frame[]; last: string }> {
  const tools = ['weather', 'search'].map((name) => ({
    type: 'function',
    name,
    parameters: { type: 'object', properties: {} },
  }))
  const body = JSON.stringify({ model, input: 'Hi', stream: true, tools })
  const response = await gateway(new Request('http://g.example/v1/responses', { method: 'POST', body }))
  const blocks = (await response.text()).split('\n\n').filter((block) => block !== '')
  const last = blocks.pop() ?? ''
  const frames = blocks.map((block) => {
    const [, name = '', data = ''] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? []
    return { name, event: eventSchema.parse(JSON.parse(data)) }
  })
  return { frames, last }
}

/** An item that was added and is not done. */
interface OpenItem {
  readonly id: string | undefined
  readonly type: string
  /** The open parts: of the content or of the summary. */
  readonly parts: Set<string>
}

/** Checks the order of the events; returns the items in the order in which they were done. */
function checkStateMachine(frames: readonly Frame[]): readonly unknown[] {
  const open = new Map<number, OpenItem>()
  const done: unknown[] = []
  for (const { event } of frames) {
    const { type, output_index: index = -1, item, item_id: itemId } = event
    const place = `${event.content_index ?? ''}/${event.summary_index ?? ''}`
    const current = open.get(index)
    if (type === 'response.output_item.added') {
      expect([current, index]).toEqual([undefined, done.length + open.size])
      open.set(index, { id: item?.id, type: item?.type ?? '', parts: new Set() })
    } else if (type === 'response.output_item.done') {
      expect([current?.id, current?.type, current?.parts.size]).toEqual([item?.id, item?.type, 0])
      open.delete(index)
      done[index] = item
    } else if (index !== -1) {
      expect(current?.id).toBe(itemId)
      const isOpen = current?.parts.has(place) === true
      if (type.endsWith('_part.added')) {
        expect(isOpen).toBe(false)
        current?.parts.add(place)
      } else if (type.endsWith('_part.done')) {
        expect(isOpen).toBe(true)
        current?.parts.delete(place)
      } else expect(isOpen).toBe(!type.startsWith('response.function_call_arguments'))
    }
  }
  expect(open.size).toBe(0)
  return done
}

test('a stream has the states of Open Responses, whatever the model answers', async () => {
  await fc.assert(
    fc.asyncProperty(answer, fc.constantFrom(...DIALECTS), async (message, upstream) => {
      const gateway = createGateway(createTestConfig(mockProvider({ model: scripted([message]) })))
      const { frames, last } = await readFrames(gateway, `upstream-${upstream}`)
      expect(last).toBe('data: [DONE]')
      expect(frames.map(({ name }) => name)).toEqual(frames.map(({ event }) => event.type))
      expect(frames.map(({ event }) => event.sequence_number)).toEqual(frames.map((_frame, index) => index))
      expect(frames.slice(0, 2).map(({ name }) => name)).toEqual(['response.created', 'response.in_progress'])
      const terminal = frames.filter(({ name }) => /^response\.(?:completed|incomplete|failed)$/.test(name))
      expect(terminal).toEqual([frames.at(-1)])
      const items = checkStateMachine(frames)
      expect(frames.at(-1)?.event.response?.output).toEqual(items)
      expect(frames.at(-1)?.event.response?.id).toBe(frames[0]?.event.response?.id)
    }),
    { numRuns: RUNS },
  )
}, 120_000)

test('a stream that fails ends with the error, the failed response and the end mark', async () => {
  for (const upstream of DIALECTS) {
    const mock = mockProvider({
      model: scripted(() => 'One two three four five six seven.'),
      faults: [{ type: 'cut', afterChunks: 4 }],
    })
    const { frames, last } = await readFrames(createGateway(createTestConfig(mock)), `upstream-${upstream}`)
    expect(last).toBe('data: [DONE]')
    expect(frames.slice(-2).map(({ name }) => name)).toEqual(['error', 'response.failed'])
    expect(frames.map(({ event }) => event.sequence_number)).toEqual(frames.map((_frame, index) => index))
    expect(frames.at(-1)?.event.response).toMatchObject({
      status: 'failed',
      error: { code: expect.any(String) as string },
    })
  }
})
