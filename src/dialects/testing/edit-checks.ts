import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { hasNonDefaultSetting } from '../engine/setting-tables.ts'
import {
  type BodyTranslator,
  callDialect,
  type CheckContext,
  type ConformanceCheck,
  createContext,
  getTranslators,
  isNamedByLoss,
} from './conformance-check.ts'
import { ConformanceError, createDescription } from './conformance-error.ts'
import {
  type JsonLeaf,
  type KeyPath,
  listLeaves,
  mapLeaves,
  storeAndLoad,
  toJsonPointer,
} from './json-leaves.ts'
import { ENUMERATION_KEYS, isMarked, isSchemaKeyword, markBody, UNSENT_KEYS } from './mark-body.ts'
import type { Subject } from './conformance-subject.ts'

const isSent = (key: string | number): boolean => !UNSENT_KEYS.has(key)

/** Keys of names and ids: residue of other parts can repeat them, and keeps the old value. */
const NAME_KEYS: ReadonlySet<string | number> = new Set(['id', 'callId', 'name'])

/** The shortest text that residue must not repeat: shorter ones occur by chance. */
const MIN_REPEATED_CHARS = 12

/** Other values of enumerations. */
const OTHER_VALUES: { readonly [key: string]: readonly string[] } = {
  effort: ['medium', 'high'],
  ttl: ['short', 'long'],
  toolChoice: ['auto', 'required', 'none'],
  mode: ['auto', 'required'],
  reason: ['length', 'stop', 'tool-calls', 'refusal', 'content-filter'],
  detail: ['low', 'high'],
}

/** Lists the checks that edits of a decoded body are sent. */
export function listEditChecks(subject: Subject): readonly ConformanceCheck[] {
  return getTranslators(subject).flatMap((translator) =>
    translator.samples.flatMap(({ name, body }): readonly ConformanceCheck[] => {
      const context = createContext('edit-safe', translator.kind, name)
      const title = `${translator.kind} "${name}"`
      return [
        {
          law: 'edit-safe',
          title: `${title} is sent with every edited text and number`,
          run: () => checkEdits(translator, context, body),
        },
        {
          law: 'edit-safe',
          title: `${title} is sent with every edited flag and enumeration`,
          run: () => checkEnumerations(translator, context, body),
        },
        {
          law: 'edit-safe',
          title: `${title} has no residue that repeats a text of the conversation`,
          run: () => checkResidueTexts(translator, context, body),
        },
      ]
    }),
  )
}

function decodePlain(translator: BodyTranslator, context: CheckContext, body: JsonObject): unknown {
  return storeAndLoad(callDialect(context, `decoding the ${translator.kind}`, () => translator.decode(body)))
}

function checkEdits(translator: BodyTranslator, context: CheckContext, body: JsonObject): void {
  const marked = markBody(translator, body)
  const value = decodePlain(translator, context, marked)
  for (const leaf of listEditableLeaves(value, marked)) {
    const fresh = createFreshValue(leaf.value)
    const edited = replaceValue(value, leaf.value, fresh)
    const path = toJsonPointer(leaf.path)
    const { value: wire, losses } = callDialect(context, `encoding after an edit of ${path}`, () =>
      translator.encode(edited),
    )
    const text = JSON.stringify(wire)
    if (!text.includes(String(fresh)) && !isNamedByLoss(losses, path))
      throw new ConformanceError({
        ...context,
        problem: `the edit of the canonical ${translator.kind} is neither sent nor reported`,
        path,
        found: text.includes(String(leaf.value)) ? leaf.value : undefined,
        expected: fresh,
      })
    // The name of a tool starts with that of its namespace, and other tools are in the same namespace.
    if (leaf.path.at(-2) !== 'namespace' && text.includes(String(leaf.value)))
      throw new ConformanceError({
        ...context,
        problem: `the old value is still sent after an edit of the canonical ${translator.kind}`,
        path,
        found: createDescription(findWireValue(wire, leaf.value)),
        expected: fresh,
      })
  }
}

/**
 * Lists the leaves whose edit must be visible. A body can contain the same name or text in several fields: if one of them is
 * unknown to the dialect, it keeps its value. A text that the body contains once must not be in the residue, too.
 */
function listEditableLeaves(value: unknown, body: JsonObject): readonly JsonLeaf[] {
  const unsent = listLeaves(value).filter(({ path }) => path.includes('extra') || path.includes('value'))
  const isInResidue = (text: string): boolean => unsent.some((leaf) => String(leaf.value).includes(text))
  const bodyText = JSON.stringify(body)
  const isRepeated = (text: string): boolean => bodyText.indexOf(text) !== bodyText.lastIndexOf(text)
  return listLeaves(value, isSent).filter(({ path, value: leaf }) => {
    const key = path.at(-1) ?? ''
    if (!isMarked(leaf) || ENUMERATION_KEYS.has(key) || isSchemaKeyword(path)) return false
    const text = String(leaf)
    return !(NAME_KEYS.has(key) || isRepeated(text)) || !isInResidue(text)
  })
}

/** Returns another value of the same form. */
function createFreshValue(value: unknown): string | number {
  if (typeof value === 'number') return value + 31_000_003
  const [prefix = ''] = /^data:[^,]*,|^https?:\/\//.exec(String(value)) ?? []
  return prefix.startsWith('http') ? 'https://example.org/changed1' : `${prefix}changed1`
}

function replaceValue(value: unknown, old: unknown, fresh: Json): unknown {
  return mapLeaves(value, (leaf, path) =>
    leaf === old && path.every(isSent) && !ENUMERATION_KEYS.has(path.at(-1) ?? '') ? fresh : leaf,
  )
}

/** Describes where a wire body contains a value. */
function findWireValue(wire: unknown, value: unknown): string {
  const leaf = listLeaves(wire).find((each) => String(each.value).includes(String(value)))
  return leaf === undefined
    ? String(value)
    : `${String(leaf.value)} at ${toJsonPointer(leaf.path)} of the body`
}

function checkEnumerations(translator: BodyTranslator, context: CheckContext, body: JsonObject): void {
  const value = decodePlain(translator, context, body)
  for (const leaf of listLeaves(value, isSent)) {
    const other = getOtherValue(leaf)
    if (other === undefined) continue
    const pointer = toJsonPointer(leaf.path)
    const edited = mapLeaves(value, (each, path) =>
      toJsonPointer(path) === pointer ? (other ?? undefined) : each,
    )
    const { value: wire, losses } = callDialect(context, `encoding after an edit of ${pointer}`, () =>
      translator.encode(edited),
    )
    if (isNamedByLoss(losses, pointer)) continue
    const decoded = decodePlain(translator, context, wire)
    const found = listLeaves(decoded).find(({ path }) => toJsonPointer(path) === pointer)?.value ?? null
    if (found !== other && !(found === null && isDefaultValue(leaf.path, other)))
      throw new ConformanceError({
        ...context,
        problem: `the edit of the canonical ${translator.kind} is not found after encoding and decoding it`,
        path: pointer,
        found: found ?? undefined,
        expected: other ?? undefined,
      })
  }
}

/** Returns true for a value that means the same as no value: a format may express it by the absence of a field. */
function isDefaultValue(path: KeyPath, value: Json): boolean {
  const key = String(path.at(-1))
  if (key === 'detail' || key === 'toolChoice') return value === 'auto'
  if (path.length > 1) return false
  return !hasNonDefaultSetting({ messages: [], [key]: value }, key as keyof ChatRequest)
}

/** Returns another value of a flag or an enumeration; null removes the key. Undefined if there is no other value. */
function getOtherValue({ path, value }: JsonLeaf): Json | undefined {
  const key = String(path.at(-1))
  if (['arguments', 'input', 'schema', 'value', 'options'].some((each) => path.includes(each)))
    return undefined
  if (key === 'isError') return null
  if (key === 'summary' || key === 'redacted') return undefined
  if (typeof value === 'boolean') return !value
  const values = Object.hasOwn(OTHER_VALUES, key) ? OTHER_VALUES[key] : undefined
  return values?.includes(String(value)) === true ? values.find((each) => each !== value) : undefined
}

/** Residue that repeats a text would send the old text after an edit. */
function checkResidueTexts(translator: BodyTranslator, context: CheckContext, body: JsonObject): void {
  const value = decodePlain(translator, context, body)
  const isContent = (key: string | number): boolean =>
    isSent(key) && !NAME_KEYS.has(key) && key !== 'schema' && key !== 'value'
  const texts = new Set(
    listLeaves(value, isContent).flatMap((leaf) =>
      typeof leaf.value === 'string' && leaf.value.length >= MIN_REPEATED_CHARS ? [leaf.value] : [],
    ),
  )
  const repeat = listLeaves(value).find(
    (leaf) => leaf.path.includes('extra') && !leaf.path.includes('hints') && texts.has(String(leaf.value)),
  )
  if (repeat !== undefined)
    throw new ConformanceError({
      ...context,
      problem: 'the residue repeats a text of the conversation',
      path: toJsonPointer(repeat.path),
      found: repeat.value,
      expected: createDescription('residue of the fields that the encoder does not write'),
    })
}
