import { parsePointer } from '../../../wire/json-pointer.ts'
import { type JsonLeaf, listLeaves } from './json-leaves.ts'

/**
 * How a value of a body differs from the input: `renamed` is the same value in another field or form, `added` is a value that
 * the input does not have.
 */
export type Difference = 'renamed' | 'added'

/** Returns how a value of a field differs from the input; undefined if the input has the same value in the same field. */
export type DifferenceFinder = (value: unknown, field: string) => Difference | undefined

/**
 * Returns a function that compares values with those of the input, wherever they occur: two formats have the same content in
 * different places.
 */
export function createDifferenceFinder(input: readonly JsonLeaf[]): DifferenceFinder {
  const fieldsByContent = new Map<string, Set<string>>()
  for (const { content, key } of input) {
    const fields = fieldsByContent.get(content)
    if (fields === undefined) fieldsByContent.set(content, new Set([key]))
    else fields.add(key)
  }
  return (value, field) => {
    const leaves = listLeaves(value)
    const isText = leaves.some(({ key }) => key !== '')
    const found = leaves.map(({ content }) => fieldsByContent.get(content))
    if (found.includes(undefined)) return 'added'
    // JSON text is another form of the fields that it contains, unless all of them have the same names.
    const isSame = found.every((fields, index) => fields?.has(isText ? (leaves[index]?.key ?? '') : field))
    return isSame ? undefined : 'renamed'
  }
}

/** Finds the place in a body at which the value of a canonical path was written, or would have been. */
export type WirePathFinder = (canonicalPath: string) => string

/** Leaves by their content. */
export type LeafGroups = ReadonlyMap<string, readonly JsonLeaf[]>

/**
 * Returns a function that finds the places of canonical paths in an encoded body. Texts, ids and numbers that occur equally
 * often in both connect the two; a message or part is where its values are. A value that was omitted has the place of the
 * nearest value that contains it.
 */
export function createWirePathFinder(
  canonical: LeafGroups,
  body: unknown,
  paths: readonly string[],
): WirePathFinder {
  const places = new Map<string, readonly string[] | undefined>()
  for (const path of paths) for (const each of listAncestors(path)) places.set(each, undefined)
  const groups = paths.length === 0 ? undefined : groupByContent(listLeaves(body))
  for (const [content, leaves] of canonical) {
    const others = groups?.get(content)
    // Values that one side has more often do not tell which is which.
    if (others?.length !== leaves.length) continue
    for (const [index, { pointer }] of leaves.entries()) {
      const target = parsePointer(others[index]?.pointer ?? '')
      for (const path of listAncestors(pointer)) {
        if (!places.has(path)) continue
        const known = places.get(path)
        places.set(path, known === undefined ? target : takeCommonStart(known, target))
      }
    }
  }
  return (canonicalPath) => {
    for (const path of listAncestors(canonicalPath)) {
      const keys = places.get(path)
      if (keys !== undefined) return toPointer(path === canonicalPath ? keys : toContainer(keys, body))
    }
    return ''
  }
}

/** Returns a pointer and those of the values that contain it, from the inside to the outside, without the root. */
function listAncestors(pointer: string): readonly string[] {
  const list: string[] = []
  for (let path = pointer; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) list.push(path)
  return list
}

/** Groups leaves by their content. */
export function groupByContent(leaves: readonly JsonLeaf[]): LeafGroups {
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
