import { describe, expect, test } from 'vitest'
import { selectShare } from './pair-shares.ts'

describe.skipIf(process.env['SOAK'])('recordings are shared between the targets of a dialect', () => {
  const sizes = [1, 12, 22, 85, 160, 402].flatMap((count) =>
    [5, 8].map((targets) => [count, targets] as const),
  )

  test.each(sizes)('%i recordings, %i targets', (count, targetCount) => {
    const recordings = Array.from({ length: count }, (_, index) => index)
    const shares = Array.from({ length: targetCount }, (_, place) =>
      selectShare(recordings, place, targetCount, true),
    )
    expect(new Set(shares.flat())).toEqual(new Set(recordings))
    for (const share of shares) expect(share.length).toBeGreaterThanOrEqual(Math.min(count, 9))
  })

  test.each(sizes)('%i recordings, %i targets, sampled', (count, targetCount) => {
    const recordings = Array.from({ length: count }, (_, index) => index)
    const shares = Array.from({ length: targetCount }, (_, place) =>
      selectShare(recordings, place, targetCount, false),
    )
    for (const share of shares) expect(share.length).toBeGreaterThanOrEqual(Math.min(count, 9))
    expect(shares.flat().length).toBeLessThan(Math.max(count, targetCount * 10) * 2)
  })

  test('a long list is sampled evenly', () => {
    const recordings = Array.from({ length: 402 }, (_, index) => index)
    const shares = Array.from({ length: 8 }, (_, place) => selectShare(recordings, place, 8, false))
    const used = shares.flat().toSorted((a, b) => a - b)
    expect(used.length).toBeLessThan(100)
    expect(used.every((index, at) => at === 0 || index - (used[at - 1] ?? 0) === 5)).toBe(true)
  })

  test('more targets cause hardly more work', () => {
    const recordings = Array.from({ length: 402 }, (_, index) => index)
    const workOf = (targetCount: number): number =>
      Array.from({ length: targetCount }, (_, place) =>
        selectShare(recordings, place, targetCount, true),
      ).flat().length
    expect(workOf(20)).toBe(workOf(5))
  })
})
