import type { JsonObject } from '../../wire/json.ts'
import type { BodyTranslator } from './conformance-check.ts'
import { type JsonLeaf, type KeyPath, listLeaves, mapLeaves, toJsonPointer } from './json-leaves.ts'

/** Canonical keys that no wire format sends, or that are computed from others. */
export const UNSENT_KEYS: ReadonlySet<string | number> = new Set([
  'extra',
  'metadata',
  'origin',
  'createdAt',
  'contentDigest',
  'rawArguments',
])

/** Canonical keys whose values are enumerations, sums, or facts about bytes: another value has another meaning. */
export const ENUMERATION_KEYS: ReadonlySet<string | number> = new Set(
  (
    'type role kind unit dialect provider vendor executedBy mediaType detail mode reason raw effort ttl toolChoice ' +
    'summary redacted totalTokens inputTokens verbosity serviceTier syntax'
  ).split(' '),
)

/** Keys whose values the decoder may derive from other values of the body. */
const DERIVED_KEYS: ReadonlySet<string | number> = new Set(['id', 'callId', 'totalTokens', 'inputTokens'])

/** Returns true for a leaf of a JSON Schema that is not a description: validators interpret the others. */
export function isSchemaKeyword(path: KeyPath): boolean {
  const isInSchema = path.includes('schema') || (path.includes('tools') && path.includes('input'))
  return isInSchema && path.at(-1) !== 'description'
}

const isSent = (key: string | number): boolean => !UNSENT_KEYS.has(key)

/** Returns the text mark with a number: letters and digits, in a length that is valid base64. */
const createTextMark = (number: number): string => `mq${String(number).padStart(4, '0')}zq`

/** Returns the number mark with a number: so far apart that no sum with a small number is another mark. */
const createNumberMark = (number: number): number => 1_000_000 + number * 100_003

/** Returns a mark in the form of a value: a URL stays a URL. */
function createMark(value: unknown, number: number): string | number {
  if (typeof value === 'number') return createNumberMark(number)
  const text = createTextMark(number)
  const [prefix = ''] = /^data:[^,]*,|^https?:\/\//.exec(String(value)) ?? []
  return prefix.startsWith('http') ? `https://example.org/${text}` : `${prefix}${text}`
}

/**
 * Replaces texts and numbers of a body by unique marks, so that each can be recognized after a translation. Which values
 * are free is found out by the dialect itself: a value is replaced only if the decoded value then contains the mark and is
 * the same otherwise. Equal texts get the same mark, since ids and names refer to each other.
 */
export function markBody(translator: BodyTranslator, body: JsonObject): JsonObject {
  const known = markedBodies.get(body)
  if (known?.translator === translator) return known.marked
  const marked = createMarkedBody(translator, body)
  markedBodies.set(body, { translator, marked })
  return marked
}

/** Several laws use the same marked bodies. */
const markedBodies = new WeakMap<
  JsonObject,
  { readonly translator: BodyTranslator; readonly marked: JsonObject }
>()

function createMarkedBody(translator: BodyTranslator, body: JsonObject): JsonObject {
  let marked: unknown = body
  let before = listSentLeaves(translator, body)
  let number = 0
  for (const group of groupLeaves(body)) {
    number += 1
    const mark = createMark(group[0]?.value, number)
    const pointers = new Set(group.map(({ path }) => toJsonPointer(path)))
    const candidate = mapLeaves(marked, (leaf, path) => (pointers.has(toJsonPointer(path)) ? mark : leaf))
    const after = listSentLeaves(translator, candidate)
    if (before === undefined || after === undefined || !isSameExceptMark(before, after, mark)) continue
    marked = candidate
    before = after
  }
  return marked as JsonObject
}

/** Groups the texts of a body by value; each number is a group of its own. */
function groupLeaves(body: JsonObject): readonly (readonly JsonLeaf[])[] {
  const groups = new Map<string, JsonLeaf[]>()
  for (const leaf of listLeaves(body)) {
    const { path, value } = leaf
    if ((typeof value !== 'string' || value === '') && typeof value !== 'number') continue
    const key = typeof value === 'string' ? `text ${value}` : `number ${toJsonPointer(path)}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [leaf])
    else group.push(leaf)
  }
  return [...groups.values()]
}

/** Returns the leaves that are sent, or undefined if the body is rejected. */
function listSentLeaves(translator: BodyTranslator, body: unknown): readonly JsonLeaf[] | undefined {
  try {
    return listLeaves(JSON.parse(JSON.stringify(translator.decode(body, { exact: false }))), isSent)
  } catch {
    return undefined
  }
}

function isSameExceptMark(
  before: readonly JsonLeaf[],
  after: readonly JsonLeaf[],
  mark: string | number,
): boolean {
  if (before.length !== after.length) return false
  let isFound = false
  for (const [index, { path, value }] of after.entries()) {
    const previous = before[index]
    const key = path.at(-1) ?? ''
    if (previous === undefined || toJsonPointer(previous.path) !== toJsonPointer(path)) return false
    if (value === previous.value) continue
    const hasMark = typeof mark === 'number' ? value === mark : String(value).includes(createMarkCore(mark))
    if (hasMark && !ENUMERATION_KEYS.has(key) && !isSchemaKeyword(path)) isFound = true
    else if (!DERIVED_KEYS.has(key)) return false
  }
  return isFound
}

/** Returns the part of a text mark that survives another form of a URL. */
function createMarkCore(mark: string): string {
  return /mq\d{4}zq/.exec(mark)?.[0] ?? mark
}

/** Returns true for a value that contains a mark. */
export function isMarked(value: unknown): boolean {
  if (typeof value === 'string') return /mq\d{4}zq/.test(value)
  const place = typeof value === 'number' ? (value - 1_000_000) / 100_003 : 0
  return Number.isInteger(place) && place > 0 && place < 10_000
}
