import { describe, expect, test } from 'vitest'
import { InProcessGatewayState } from '../../src/gateway/state/gateway-state.ts'

const HOUR_MS = 3_600_000

describe('the state in this process', () => {
  test('forgets the oldest values beyond a number of values or characters', async () => {
    const state = new InProcessGatewayState()
    const has = async (...keys: readonly string[]): Promise<readonly string[]> => [
      ...(await state.get(keys)).keys(),
    ]
    for (let index = 0; index <= 10_000; index++) await state.put(`call-${index}`, 'short', HOUR_MS)
    expect(await has('call-0', 'call-1')).toEqual(['call-1'])
    const long = 'x'.repeat(17 * 1024 * 1024)
    for (const name of ['a', 'b', 'c', 'd']) await state.put(name, long, HOUR_MS)
    expect(await has('a', 'b', 'c', 'd')).toEqual(['b', 'c', 'd'])
    expect(await has('call-9999')).toEqual([])
  })

  test('forgets values and amounts after their time', async () => {
    let now = 0
    const state = new InProcessGatewayState(() => now)
    await state.put('call', 'value', HOUR_MS)
    const amounts = { requests: 1, tokens: 10, cost: 0.5 }
    await state.add('used', amounts, HOUR_MS)
    expect(await state.add('used', amounts, HOUR_MS)).toEqual({ requests: 2, tokens: 20, cost: 1 })
    expect(await state.get(['call', 'other'])).toEqual(new Map([['call', 'value']]))
    now = HOUR_MS
    expect(await state.get(['call'])).toEqual(new Map())
    await state.add('next', amounts, HOUR_MS)
    expect(await state.add('used', amounts, HOUR_MS)).toEqual(amounts)
  })
})
