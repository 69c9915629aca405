import fc from 'fast-check'
import type { Json, JsonObject, Loss } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { again, law } from '../law-assertions.ts'
import { wireValue } from '../wire-arbitraries.ts'
import { isMarkNumber, marked } from './marked-bodies.ts'
import { lines } from './dialect-table.ts'
import { covers, type Leaf, leavesOf, mapLeaves, pointerTo, setOf } from './json-leaves.ts'

/** Keys that no wire format sends. */
const unsent: ReadonlySet<string | number> = setOf(
  'extra metadata origin createdAt contentDigest rawArguments',
)
/**
 * Keys whose values are enumerations of the canonical model: another value has another meaning, which another
 * law covers.
 */
const words: ReadonlySet<string | number> = setOf(
  'type role kind unit dialect provider vendor executedBy mediaType detail mode reason raw',
  'effort ttl toolChoice summary redacted totalTokens inputTokens',
)

const enter = (key: string | number): boolean => !unsent.has(key)

const isMark = (value: unknown): boolean =>
  typeof value === 'number' ? isMarkNumber(value) : typeof value === 'string' && /q\d{4}zq/.test(value)

/** Names of calls and tools: residue of other parts can repeat them and keeps the old value. */
const names: ReadonlySet<string | number> = setOf('id callId name')

/** Returns true for a mark that replaces every occurrence of the same id, name or URL in the body. */
const isLink = (value: unknown): boolean => /(^i|\/u)q\d{4}zq$/.test(String(value))

/**
 * Lists the leaves whose change must be visible: free strings and numbers. Generated bodies can contain the
 * same name or URL in unrelated fields: unless the repeats are `linked` on purpose, those in residue keep
 * their value.
 */
function editable(value: unknown, linked: boolean): readonly Leaf[] {
  const unknown = leavesOf(value).filter(({ at }) => at.includes('extra') || at.includes('value'))
  const repeated = (name: unknown): boolean =>
    unknown.some((leaf) => String(leaf.value).includes(String(name)))
  return leavesOf(value, enter).filter(({ at, value: leaf }) => {
    const key = at.at(-1) ?? ''
    if (!isMark(leaf) || words.has(key)) return false
    if (isLink(leaf) && !linked) return !repeated(leaf)
    return !names.has(key) || !(at.includes('content') || at.includes('tools')) || !repeated(leaf)
  })
}

function changed(value: unknown, of: Leaf, to: Json): unknown {
  return mapLeaves(value, (leaf, at) => {
    const ours = at.every(enter) && !words.has(at.at(-1) ?? '')
    return ours && leaf === of.value ? to : leaf
  })
}

/** Returns true if a text contains a value; other numbers can contain the digits of a number. */
function includesValue(text: string, value: unknown): boolean {
  return typeof value === 'number'
    ? new RegExp(`(?<!\\d)${value}(?!\\d)`).test(text)
    : text.includes(String(value))
}

/**
 * Returns true if an unchanged name contains an edited one: the name of a tool consists of that of its namespace, which other
 * tools have too, and one that a tool outside of the namespace can have.
 */
function isInAnotherName(edited: unknown, { at, value }: Leaf): boolean {
  return (
    at.at(-1) === 'name' &&
    leavesOf(edited, enter).some(
      (leaf) => leaf.at.at(-1) === 'name' && String(leaf.value).includes(String(value)),
    )
  )
}

const others: { readonly [key: string]: readonly string[] } = {
  effort: ['medium', 'high'],
  ttl: ['short', 'long'],
  toolChoice: ['auto', 'required', 'none'],
  mode: ['auto', 'required'],
  reason: ['length', 'stop', 'tool-calls', 'refusal', 'content-filter'],
  detail: ['low', 'high'],
  mediaType: ['image/png', 'image/webp', 'audio/wav', 'audio/mpeg'],
}

/**
 * Returns another value of an enumeration, or the negation; null removes the key. Undefined if there is no
 * other value.
 */
function otherWord({ at, value }: Leaf): Json | undefined {
  const key = String(at.at(-1))
  if (at.includes('arguments') || at.includes('input') || at.includes('schema') || at.includes('value'))
    return undefined
  if (key === 'isError') return null
  if (key === 'summary' || key === 'redacted' || at.includes('options')) return undefined
  if (typeof value === 'boolean') return !value
  const words = Object.hasOwn(others, key) ? others[key] : undefined
  return words?.includes(String(value)) ? words.find((word) => word !== value) : undefined
}

/** Returns true for the conversation: neither names, nor schemas, nor residue. */
const isContent = (key: string | number): boolean =>
  enter(key) && !names.has(key) && key !== 'schema' && key !== 'value'

const pointers = (place: readonly (string | number)[]): string => pointerTo(place)

describe.each(lines)('$name: an edited value is sent as edited', ({ subject, codec }) => {
  const { direction } = codec

  /** Changes every leaf in turn, or only the one that `which` selects. */
  function expectFollowed(name: string, source: unknown, which?: number): void {
    const value = again(codec.decode(subject, source))
    const leaves = editable(value, which === undefined)
    const only = which === undefined ? undefined : which % Math.max(1, leaves.length)
    for (const leaf of only === undefined ? leaves : leaves.slice(only, only + 1)) {
      const fresh =
        typeof leaf.value === 'number' ? leaf.value + 31_000_003 : `changed ${String(leaf.value).length}`
      const edited = changed(value, leaf, fresh)
      const { value: wire, losses } = codec.encode(subject, edited)
      const text = JSON.stringify(wire)
      const at = pointers(leaf.at)
      const where = `${name} ${at} ${String(leaf.value)}`
      // The id of a result was changed with that of its call, and is reported there.
      const isReported = ({ rule, path }: Loss): boolean =>
        (path !== '' && covers(path, at)) || (leaf.at.at(-1) === 'callId' && rule === 'id-changed')
      const isVisible = text.includes(String(fresh)) || losses.some(isReported)
      expect(isVisible, `${where} is not sent, nor reported`).toBe(true)
      const isStillThere = includesValue(text, leaf.value) && !isInAnotherName(edited, leaf)
      expect(isStillThere, `${where} is still there`).toBe(false)
    }
  }

  test.each(subject.fixtures[direction])('$name', ({ name, body }) => {
    expectFollowed(name, marked(body).body)
  })

  test.skipIf(subject.recordings[direction].length === 0)('recorded bodies', () => {
    const small = subject.recordings[direction].filter(({ body }) => JSON.stringify(body).length < 8_000)
    const some = small.filter((_, index) => process.env['SOAK'] !== undefined || index % 8 === 0)
    for (const { name, body } of some) expectFollowed(name, marked(body).body)
  })

  test.each(subject.row.widest[direction])('generated after %s', (schema) => {
    law(fc.tuple(wireValue(schema), fc.nat()), ([body, which]) =>
      expectFollowed(schema, marked(body as JsonObject).body, which),
    )
  })

  test.each(subject.fixtures[direction])('$name, its enumerations and flags', ({ name, body }) => {
    const value = again(codec.decode(subject, body))
    for (const leaf of leavesOf(value, enter)) {
      const to = otherWord(leaf)
      if (to === undefined) continue
      const place = pointerTo(leaf.at)
      const edited = mapLeaves(value, (each, at) => (pointerTo(at) === place ? (to ?? undefined) : each))
      const { value: wire, losses } = codec.encode(subject, edited)
      const back = leavesOf(codec.decode(subject, wire)).find(({ at }) => pointerTo(at) === place)
      const isVisible =
        (back?.value ?? null) === to ||
        // Without a choice, the model decides.
        (place === '/toolChoice' && to === 'auto' && back === undefined) ||
        losses.some(({ path }) => path !== '' && covers(path, place))
      expect(isVisible, `${name} ${place} is ${String(back?.value)}, not ${JSON.stringify(to)}`).toBe(true)
    }
  })

  test('residue repeats no text of the conversation', () => {
    const repeated = [...subject.fixtures[direction], ...subject.recordings[direction]].flatMap(
      ({ name, body }) => {
        const value = codec.decode(subject, body)
        const ours = new Set(
          leavesOf(value, isContent).flatMap(({ value: text }) =>
            typeof text === 'string' && text.length >= 12 ? [text] : [],
          ),
        )
        const kept = leavesOf(value).filter(({ at }) => at.includes('extra') && !at.includes('hints'))
        return kept
          .filter(({ value: text }) => ours.has(String(text)))
          .map(({ at }) => `${name} ${pointerTo(at)}`)
      },
    )
    expect(repeated).toEqual([])
  })
})
