import { describe, expect, test } from 'vitest'
import type { GatewayEntry, SessionTreeNode } from '../../src/studio/api/contract.ts'
import { addAnswerEvent, EMPTY_ANSWER, toAnswerMessage } from '../../src/studio/page/chat/arriving-answer.ts'
import { BranchTree } from '../../src/studio/page/conversations/branch-tree.ts'
import { percentile, summarizeRequests } from '../../src/studio/page/gateway/request-summary.ts'
import { toVisibleText } from '../../src/studio/page/format-values.ts'
import { findWindow, RowHeights } from '../../src/studio/page/row-heights.ts'

const node = (id: string, parent?: string): SessionTreeNode => ({
  id,
  role: 'user',
  excerpt: id,
  ...(parent !== undefined && { parent }),
})

describe('the tree of branches', () => {
  const tree = new BranchTree([node('a'), node('b', 'a'), node('c', 'b'), node('d', 'a'), node('e', 'd')])

  test('finds paths and leaves', () => {
    expect(tree.pathTo('c')).toEqual(['a', 'b', 'c'])
    expect(tree.listLeaves()).toEqual(['c', 'e'])
    expect(tree.findLeaf('d')).toBe('e')
  })

  test('draws the current path in the first column, and other branches before it continues', () => {
    const rows = tree.drawRows('e').map(({ node: { id }, lane, isOnPath }) => [id, lane, isOnPath])
    expect(rows).toEqual([
      ['a', 0, true],
      ['b', 1, false],
      ['c', 1, false],
      ['d', 0, true],
      ['e', 0, true],
    ])
  })

  test('draws every message of a long conversation once, without recursion', () => {
    const long = Array.from({ length: 50_000 }, (_, index) =>
      node(`${index}`, index === 0 ? undefined : `${index - 1}`),
    )
    const rows = new BranchTree(long).drawRows('49999')
    expect(new Set(rows.map(({ node: { id } }) => id)).size).toBe(50_000)
  })
})

test('branches of branches are drawn without growing lists of lines', () => {
  // Each message has two successors, and the conversation continues in the second one.
  const nested = Array.from({ length: 20_000 }, (_, index) => [
    node(`end ${index}`, index === 0 ? undefined : `${index - 1}`),
    node(`${index}`, index === 0 ? undefined : `${index - 1}`),
  ])
  const rows = new BranchTree(nested.flat()).drawRows('end 0')
  expect(rows).toHaveLength(40_000)
  expect(Math.max(...rows.map(({ passing }) => passing.length))).toBeLessThan(10)
})

describe('rows of a virtual list', () => {
  test('only those in view are rendered, whatever their heights', () => {
    const heights = new RowHeights()
    heights.set('0', 1000)
    const offsets = heights.computeOffsets(20_000, String, 100)
    expect(offsets[20_000]).toBe(1000 + 19_999 * 100)
    expect(findWindow(offsets, 0, 500)).toEqual({ start: 0, end: 7 })
    const { start, end } = findWindow(offsets, 1_000_000, 500)
    expect(offsets[start]).toBeLessThanOrEqual(1_000_000)
    expect(offsets[end]).toBeGreaterThanOrEqual(1_000_500)
    expect(end - start).toBeLessThan(30)
    expect(findWindow(heights.computeOffsets(0, String, 100), 0, 500)).toEqual({ start: 0, end: 0 })
  })
})

test('an answer shows text and arguments as they arrive', () => {
  const answer = [
    { type: 'start', model: 'm' } as const,
    { type: 'reasoning-delta', index: 0, text: 'Hm' } as const,
    { type: 'text-delta', index: 1, text: 'Hel' } as const,
    { type: 'text-delta', index: 1, text: 'lo' } as const,
    { type: 'part-start', index: 2, part: { type: 'tool-call', id: 'c', name: 'f', arguments: {} } } as const,
    { type: 'arguments-delta', index: 2, json: '{"a"' } as const,
    { type: 'arguments-delta', index: 2, json: ':1' } as const,
  ].reduce(addAnswerEvent, EMPTY_ANSWER)
  expect(toAnswerMessage(answer).content).toEqual([
    { type: 'reasoning', text: 'Hm' },
    { type: 'text', text: 'Hello' },
    { type: 'tool-call', id: 'c', name: 'f', invalidArguments: '{"a":1' },
  ])
})

test('control characters become visible; line feeds and tabs stay', () => {
  expect(toVisibleText('a\u001B[31m\tb\r\nc\u202E\u0000')).toBe('a⟨U+001B⟩[31m\tb\nc⟨U+202E⟩⟨U+0000⟩')
  // Tags are invisible copies of ASCII, in which attackers write to models.
  expect(toVisibleText('Hi\u{E0041}👩‍🚀')).toBe('Hi⟨U+E0041⟩👩‍🚀')
})

test('requests of the gateway are summed up', () => {
  const entry = {
    requestId: '1',
    status: 200,
    attempts: 3,
    fallbacks: 1,
    losses: { seed: 2 },
    inputTokens: 5,
  }
  const failed = { ...entry, status: 500, losses: { seed: 1, name: 4 } }
  const summary = summarizeRequests([entry, failed] as unknown as readonly GatewayEntry[])
  expect(summary).toMatchObject({ requests: 2, failed: 1, retries: 2, fallbacks: 2, inputTokens: 10 })
  expect(summary.losses).toEqual([
    ['name', 4],
    ['seed', 3],
  ])
  expect([percentile([3, 1, 2], 0.5), percentile([], 0.5)]).toEqual([2, undefined])
})
