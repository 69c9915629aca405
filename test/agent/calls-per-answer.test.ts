import { toolCall, toolResultsOf } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { describe, expect, test } from 'vitest'
import { scripted } from '../../src/client/scripted-model.ts'

/** Runs one answer with many calls. Returns how many ran, and the errors of the others. */
async function runAnswer(
  calls: number,
  callsPerAnswer?: number,
): Promise<{ readonly ran: number; readonly errors: readonly string[] }> {
  let ran = 0
  const count = tool({ name: 'count', run: () => (ran += 1) })
  const answer = Array.from({ length: calls }, (_, index) => toolCall({ id: `c${index}`, name: 'count' }))
  const agent = new Agent({
    model: scripted([answer, 'Done.']),
    tools: [count],
    ...(callsPerAnswer !== undefined && { limits: { callsPerAnswer } }),
  })
  const { messages, finish } = await agent.send('Go')
  expect(finish).toEqual({ reason: 'stop' })
  const results = messages.flatMap((message) => toolResultsOf(message))
  expect(results).toHaveLength(calls)
  return {
    ran,
    errors: results.filter(({ isError }) => isError).map(({ content }) => JSON.stringify(content)),
  }
}

describe('the calls of one answer that run', () => {
  test('are limited to 100 by default; each further call has an error result', async () => {
    const { ran, errors } = await runAnswer(103)
    expect(ran).toBe(100)
    expect(errors).toHaveLength(3)
    expect(errors[0]).toContain('only the first 100 calls')
  })

  test('are limited by `limits.callsPerAnswer`', async () => {
    expect((await runAnswer(5, 2)).ran).toBe(2)
    expect((await runAnswer(120, Infinity)).errors).toEqual([])
  })

  test('a limit that is not a number is refused', async () => {
    await expect(runAnswer(1, Number.NaN)).rejects.toMatchObject({ path: '/limits/callsPerAnswer' })
  })
})
