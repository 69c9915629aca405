import { describe, expect, test } from 'vitest'
import { selectShare } from './pair-shares.ts'

describe.skipIf(process.env['SOAK'])('recordings are shared between the targets of a dialect', () => {
  const sizes = [1, 12, 22, 85, 160, 402].flatMap((count) =>
    [5, 8].map((targets) => [count, targets] as const),
  )

  test.each(sizes)('%i recordings, %i targets', (count, targetCount) => {
    const recordings = Array.from({ length: count }, (_, index) => index)
    const shares = Array.from({ length: targetCount }, (_, place) =>
      selectShare(recordings, place, targetCount),
    )
    expect(new Set(shares.flat())).toEqual(new Set(recordings))
    for (const share of shares) expect(share.length).toBeGreaterThanOrEqual(Math.min(count, 9))
  })

  test('more targets cause hardly more work', () => {
    const recordings = Array.from({ length: 402 }, (_, index) => index)
    const workOf = (targetCount: number): number =>
      Array.from({ length: targetCount }, (_, place) => selectShare(recordings, place, targetCount)).flat()
        .length
    expect(workOf(20)).toBe(workOf(5))
  })
})
