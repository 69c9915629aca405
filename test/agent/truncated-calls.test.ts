import { refusal, toolCall, toolResultsOf, validate } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { describe, expect, test } from 'vitest'
import { scripted } from '../../src/client/scripted-model.ts'

/** A tool that accepts any input, and the ids of the calls that ran. */
function workshop(): { readonly work: ReturnType<typeof tool>; readonly done: string[] } {
  const done: string[] = []
  const work = tool({ name: 'work', run: (_, { call }) => void done.push(call.id) })
  return { work, done }
}

const calls = [toolCall({ id: 'first', name: 'work' }), toolCall({ id: 'last', name: 'work', arguments: '' })]

describe('calls of an interrupted message', () => {
  test.each(['refusal', 'content-filter'] as const)(
    'are not run after a %s, which ends the run',
    async (reason) => {
      const { work, done } = workshop()
      const model = scripted([{ reply: [refusal('No.'), ...calls], finish: { reason } }, 'too late'])
      const { finish, messages } = await new Agent({ model, tools: [work] }).send('Go')
      expect(done).toEqual([])
      expect(finish).toMatchObject({ reason })
      expect(messages.flatMap((message) => toolResultsOf(message)).map(({ isError }) => isError)).toEqual([
        true,
        true,
      ])
      expect(validate(messages)).toEqual([])
    },
  )

  test('at the token limit: the last one may lack its arguments, so the model must repeat it', async () => {
    const { work, done } = workshop()
    const model = scripted([{ reply: calls, finish: { reason: 'length' } }, 'Done.'])
    const { text, messages } = await new Agent({ model, tools: [work] }).send('Go')
    expect(done).toEqual(['first'])
    expect(text).toBe('Done.')
    expect(
      toolResultsOf(messages[2] ?? expect.fail('no results')).map(({ isError = false }) => isError),
    ).toEqual([false, true])
  })

  test('with text after them are complete', async () => {
    const { work, done } = workshop()
    const model = scripted([{ reply: [...calls, 'And then'], finish: { reason: 'length' } }, 'Done.'])
    await new Agent({ model, tools: [work] }).send('Go')
    expect(done).toEqual(['first', 'last'])
  })
})
