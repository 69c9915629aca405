import { assistant, type AssistantPart, toEvents } from 'interlingua'
import { memoryStorage } from 'interlingua/stores'
import { describe, expect, test } from 'vitest'
import { PruneSchedule } from '../../src/gateway/prune-schedule.ts'
import { RunningResponse, EndedResponses } from '../../src/gateway/responses/running-response.ts'
import { ResponseStore } from '../../src/gateway/responses/response-store.ts'
import { AnswerSealer } from '../../src/gateway/state/answer-sealer.ts'
import { Sealer } from '../../src/gateway/state/sealer.ts'

describe('what an answer makes the gateway remember', () => {
  /** Returns how many items are remembered for an answer with calls and a reasoning part before each. */
  async function countRemembered(dialect: string, callCount: number): Promise<number> {
    const content = Array.from({ length: callCount }, (_, at): readonly AssistantPart[] => [
      { type: 'reasoning', text: `Thought ${at}` },
      { type: 'tool-call', id: `call_${at}`, name: 'look', arguments: {} },
    ])
    const events = toEvents({
      candidates: [{ ...assistant(content.flat()), origin: { dialect: 'gemini' } }],
    })
    let count = 0
    const context = {
      dialect,
      sealer: new Sealer([btoa('0'.repeat(32))]),
      remember: async (_callId: string, items: readonly unknown[]) => void (count += items.length),
    }
    await new AnswerSealer(context).seal([...events])
    return count
  }

  test.each(['anthropic', 'openai-responses', 'openai-chat', 'ollama'])(
    '%s: it grows with the answer, not with its square',
    async (dialect) => {
      const [some, twice] = [await countRemembered(dialect, 100), await countRemembered(dialect, 200)]
      expect(some).toBeGreaterThanOrEqual(100)
      expect(twice).toBeLessThan(some * 2.5)
    },
  )

  test('ollama: the calls of one answer remember the same reasoning', async () => {
    // The second call remembers both thoughts: a client may send it back without the first.
    expect(await countRemembered('ollama', 2)).toBe(3)
  })
})

describe('events of responses in the background', () => {
  const createRun = (byteLength: number): RunningResponse => {
    const run = new RunningResponse(() => {})
    run.push(new Uint8Array(byteLength))
    return run
  }

  test('the oldest are dropped when the size of all exceeds a limit', () => {
    const ended = new EndedResponses()
    const runs = [30, 30, 30].map((mebibytes) => createRun(mebibytes * 1024 * 1024))
    for (const [at, run] of runs.entries()) ended.add(`${at}`, run)
    expect(['0', '1', '2'].map((id) => ended.get(id))).toEqual([undefined, runs[1], runs[2]])
    ended.delete('1')
    ended.add('3', createRun(30 * 1024 * 1024))
    expect(ended.get('2')).toBe(runs[2])
  })

  test('the oldest are dropped when there are too many', () => {
    const ended = new EndedResponses()
    for (let at = 0; at <= 100; at++) ended.add(`${at}`, createRun(1))
    expect(ended.get('0')).toBeUndefined()
    expect(ended.get('1')).toBeDefined()
  })
})

test('a response that cannot be stored leaves no session', async () => {
  const storage = memoryStorage()
  const store = new ResponseStore(storage, 'alice', { schedule: new PruneSchedule() })
  const message = { ...assistant('Hi'), id: 'twice' }
  const response = { id: 'resp_1', dialect: 'openai-responses', isBackground: false, body: {} } as const
  await expect(store.add({ ...response, input: [message, message] })).rejects.toThrow()
  expect((await store.storage.sessions()).sessions).toEqual([])
})
