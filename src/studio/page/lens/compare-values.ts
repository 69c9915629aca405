import { parsePointer } from '../../../wire/json-pointer.ts'
import { type JsonLeaf, listLeaves } from './json-leaves.ts'

/**
 * How a value of a body differs from the input: `renamed` is the same value in another field or form, `added` is a value that
 * the input does not have.
 */
export type Difference = 'renamed' | 'added'

/**
 * Returns the differences of a body to the input, by pointer into the body. Values are compared wherever they occur: two
 * formats have the same content in different places.
 */
export function findDifferences(input: readonly JsonLeaf[], body: unknown): ReadonlyMap<string, Difference> {
  const keysByContent = new Map<string, Set<string>>()
  for (const { content, key } of input) {
    const keys = keysByContent.get(content)
    if (keys === undefined) keysByContent.set(content, new Set([key]))
    else keys.add(key)
  }
  const differences = new Map<string, Difference>()
  for (const { pointer, key, content } of listLeaves(body)) {
    const keys = keysByContent.get(content)
    if (keys === undefined) differences.set(pointer, 'added')
    else if (!keys.has(key) && !differences.has(pointer)) differences.set(pointer, 'renamed')
  }
  return differences
}

/** Finds the place in a body at which the value of a canonical path was written, or would have been. */
export type PlaceFinder = (canonicalPath: string) => string

/**
 * Returns a function that finds the place of a canonical path in an encoded body. Texts, ids and numbers that occur equally
 * often in both connect the two; a message or part is where its values are. A value that was omitted has the place of the
 * nearest value that contains it.
 */
export function createPlaceFinder(canonical: readonly JsonLeaf[], body: unknown): PlaceFinder {
  const places = new Map<string, readonly string[]>()
  for (const [from, to] of matchLeaves(canonical, listLeaves(body))) {
    const target = parsePointer(to)
    for (let path = from; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
      const known = places.get(path)
      places.set(path, known === undefined ? target : takeCommonStart(known, target))
    }
  }
  return (canonicalPath) => {
    for (let path = canonicalPath; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
      const keys = places.get(path)
      if (keys !== undefined) return toPointer(path === canonicalPath ? keys : toContainer(keys, body))
    }
    return ''
  }
}

/** Pairs leaves with the same content, in their order, if both values have equally many of them. */
function matchLeaves(
  canonical: readonly JsonLeaf[],
  body: readonly JsonLeaf[],
): readonly (readonly [from: string, to: string])[] {
  const byContent = groupByContent(body)
  return [...groupByContent(canonical)].flatMap(([content, leaves]) => {
    const others = byContent.get(content)
    if (others?.length !== leaves.length) return []
    return leaves.map(({ pointer }, index) => [pointer, others[index]?.pointer ?? ''] as const)
  })
}

function groupByContent(leaves: readonly JsonLeaf[]): Map<string, JsonLeaf[]> {
  const groups = new Map<string, JsonLeaf[]>()
  for (const leaf of leaves) {
    const group = groups.get(leaf.content)
    if (group === undefined) groups.set(leaf.content, [leaf])
    else group.push(leaf)
  }
  return groups
}

function takeCommonStart(a: readonly string[], b: readonly string[]): readonly string[] {
  const end = a.findIndex((key, index) => key !== b[index])
  return end === -1 ? a : a.slice(0, end)
}

/** Returns the nearest object or list that contains a place, if the place itself is a text or number. */
function toContainer(keys: readonly string[], body: unknown): readonly string[] {
  let value = body
  for (const [index, key] of keys.entries()) {
    if (typeof value !== 'object' || value === null) return keys.slice(0, Math.max(0, index - 1))
    value = (value as { readonly [key: string]: unknown })[key]
  }
  return typeof value === 'object' && value !== null ? keys : keys.slice(0, -1)
}

function toPointer(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
