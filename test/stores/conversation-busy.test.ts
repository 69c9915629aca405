import { validate } from 'interlingua'
import type { BusyOptions, Conversation } from 'interlingua/stores'
import { describe, expect, test } from 'vitest'
import { createSlowTool, expectComplete, setUp, texts } from './slow-conversation.ts'

describe('while a run works on a conversation', () => {
  const newcomers: readonly [string, (conversation: Conversation) => Promise<unknown>][] = [
    ['send', (conversation) => conversation.send('More')],
    ['stream', (conversation) => conversation.stream('More')],
    ['resume', (conversation) => conversation.resume({ c1: 'approve' })],
    ['regenerate', (conversation) => conversation.regenerate()],
    ['edit', (conversation) => conversation.edit('any', 'More')],
    ['setHead', (conversation) => conversation.setHead(null)],
  ]

  test.each(newcomers)('%s is rejected, and the run keeps its result', async (_name, start) => {
    const { slow, started, finish, runs } = createSlowTool()
    const setup = await setUp([slow])
    const since = Date.now()
    const running = setup.open().send('Work')
    await started
    const error: unknown = await start(setup.open()).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'conflict',
      retryable: true,
      hint: expect.stringMatching(/whenBusy/),
    })
    const [, at = ''] = /since (\S+)/.exec((error as Error).message) ?? []
    expect(Math.abs(Date.parse(at) - since)).toBeLessThan(60_000)
    finish()
    expect((await running).text).toBe('Done.')
    expect(runs).toEqual(['c1'])
    await expectComplete(setup, ['Work', '', 'worked', 'Done.'])
  })

  test('an approval that is clicked twice runs the tool once', async () => {
    const { slow, started, finish, runs } = createSlowTool()
    const setup = await setUp([slow], true)
    expect((await setup.open().send('Work')).finish.reason).toBe('approval')
    const first = setup.open().resume({ c1: 'approve' })
    await started
    await expect(setup.open().resume({ c1: 'approve' })).rejects.toMatchObject({ code: 'conflict' })
    const waiting = setup.open({ whenBusy: 'enqueue' }).resume({ c1: 'approve' })
    finish()
    expect([(await first)?.text, await waiting, runs]).toEqual(['Done.', undefined, ['c1']])
    await expectComplete(setup, ['Work', '', 'worked', 'Done.'])
  })

  test('runs that are enqueued start in order', async () => {
    const { slow, started, finish } = createSlowTool()
    const setup = await setUp([slow])
    const running = setup.open().send('Work')
    await started
    const waiting = ['One', 'Two', 'Three'].map((text) => setup.open({ whenBusy: 'enqueue' }).send(text))
    finish()
    await Promise.all([running, ...waiting])
    const expected = ['Work', '', 'worked', 'Done.', 'One', 'Re: One', 'Two', 'Re: Two', 'Three', 'Re: Three']
    await expectComplete(setup, expected)
  })

  test('an enqueued run ends with its signal or its limit, and the others continue', async () => {
    const { slow, started, finish } = createSlowTool()
    const setup = await setUp([slow])
    const running = setup.open().send('Work')
    await started
    const first = setup.open({ whenBusy: 'enqueue' }).send('First')
    const signal = AbortSignal.timeout(10)
    const aborted = setup.open({ whenBusy: 'enqueue' }).send('Aborted', { signal })
    await expect(aborted).rejects.toMatchObject({ code: 'aborted' })
    const late = setup.open({ whenBusy: 'enqueue', maxWaitMs: 10 }).send('Late')
    finish()
    await Promise.all([running, first])
    await late.catch((error: unknown) => expect(error).toMatchObject({ code: 'conflict' }))
    const messages = texts(await setup.open().messages())
    expect(messages.slice(0, 6)).toEqual(['Work', '', 'worked', 'Done.', 'First', 'Re: First'])
    expect(messages).not.toContain('Aborted')
  })

  test('an enqueued run gives up after its limit', async () => {
    const { slow, started, finish } = createSlowTool()
    const setup = await setUp([slow])
    const running = setup.open().send('Work')
    await started
    const waiting = setup.open({ whenBusy: 'enqueue', maxWaitMs: 30 }).send('Late')
    await expect(waiting).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/within 30 ms/),
    })
    finish()
    await running
    await expectComplete(setup, ['Work', '', 'worked', 'Done.'])
  })

  test('a run that is interrupted stores what it has, then the other one starts', async () => {
    const { slow, started, runs } = createSlowTool()
    const setup = await setUp([slow])
    const running = setup.open().send('Work')
    await started
    const next = await setup.open({ whenBusy: 'interrupt' }).send('Other')
    expect([(await running).finish.reason, next.text]).toEqual(['aborted', 'Re: Other'])
    const messages = await setup.open().messages()
    expect(Array.from(messages, ({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
      'assistant',
    ])
    expect([validate(messages), runs]).toEqual([[], ['c1']])
  })

  test('a stream holds the conversation until it has been read', async () => {
    const setup = await setUp([])
    const stream = await setup.open().stream('Hi')
    for await (const _chunk of stream);
    expect((await setup.open().send('Bye')).text).toBe('Re: Bye')
    const left = await setup.open().stream('Left')
    for await (const _chunk of left) break
    expect((await setup.open().send('Again')).text).toBe('Re: Again')
  })

  test.each([
    ['whenBusy', { whenBusy: 'wait' }],
    ['maxWaitMs', { maxWaitMs: Number.NaN }],
    ['leaseMs', { leaseMs: 0 }],
  ])('an invalid %s is reported', async (name, options) => {
    const { open } = await setUp([])
    expect(() => open(options as BusyOptions)).toThrow(expect.objectContaining({ path: `/${name}` }))
  })
})
