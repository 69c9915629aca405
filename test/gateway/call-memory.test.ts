import { describe, expect, test } from 'vitest'
import { CallMemory } from '../../src/gateway/state/call-memory.ts'
import type { CarriedItem } from '../../src/gateway/state/carried-item.ts'

const createItems = (text: string): readonly CarriedItem[] => [
  { type: 'reasoning', part: { type: 'reasoning', text } },
]

describe('the memory of calls', () => {
  test('forgets the oldest calls beyond a number of calls or characters', () => {
    const memory = new CallMemory()
    for (let index = 0; index <= 10_000; index++) memory.add('alice', `call-${index}`, createItems('short'))
    expect(memory.get('alice', 'call-0')).toEqual([])
    expect(memory.get('alice', 'call-1')).toHaveLength(1)
    const long = 'x'.repeat(16 * 1024 * 1024)
    for (const name of ['a', 'b', 'c', 'd']) memory.add('alice', name, createItems(long))
    expect(['a', 'b', 'c', 'd'].map((name) => memory.get('alice', name).length)).toEqual([0, 1, 1, 1])
    expect(memory.get('alice', 'call-9999')).toEqual([])
  })

  test('forgets after a time, and separates clients', () => {
    let now = 0
    const memory = new CallMemory(() => now)
    memory.add('alice', 'call', createItems('a'))
    expect([memory.get('alice', 'call').length, memory.get('bob', 'call').length]).toEqual([1, 0])
    now = 7 * 60 * 60 * 1000
    expect(memory.get('alice', 'call')).toEqual([])
  })
})
