import { isObject, tryParseJson } from '../../../wire/json.ts'
import { child, type Path, toPointer } from '../../../wire/json-pointer.ts'

/** A text, number, boolean or null inside a JSON value. */
export interface JsonLeaf {
  readonly pointer: string
  /** The key of the field that contains the leaf; items of lists have the key of the list. */
  readonly key: string
  /** Equal for leaves with the same content: the media type of a data URL is not part of it. */
  readonly content: string
}

/** Texts up to this length are compared as they are; of a longer one, the length and both ends are compared. */
const MAX_COMPARED_CHARACTERS = 4096

const DATA_URL = /^data:[^,]{0,200};base64,/

/** JSON text inside of a longer text is not parsed. */
const MAX_TEXT_CHARACTERS = 1_000_000

/**
 * Returns the leaves of a JSON value, in the order of the document. JSON text inside of a text, such as the arguments of a
 * call, contributes its own leaves at the position of the text.
 */
export function listLeaves(value: unknown): readonly JsonLeaf[] {
  const leaves: JsonLeaf[] = []
  const visit = (current: unknown, path: Path | undefined, key: string): void => {
    if (Array.isArray(current)) {
      for (const [index, item] of current.entries()) visit(item, child(path, index), key)
    } else if (isObject(current)) {
      for (const [name, item] of Object.entries(current)) visit(item, child(path, name), name)
    } else {
      const pointer = toPointer(path)
      const inner = typeof current === 'string' ? parseNestedJson(current) : undefined
      if (inner === undefined) leaves.push({ pointer, key, content: toComparable(current) })
      else for (const leaf of listLeaves(inner)) leaves.push({ ...leaf, pointer })
    }
  }
  visit(value, undefined, '')
  return leaves
}

/** Parses a text that is a JSON object or list; undefined for any other text. */
function parseNestedJson(text: string): object | undefined {
  if (text.length > MAX_TEXT_CHARACTERS || !/^\s*[[{]/.test(text)) return undefined
  const value = tryParseJson(text)
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? value : undefined
}

/** Returns a text that is equal for equal leaves. */
function toComparable(value: unknown): string {
  if (typeof value !== 'string') return `${typeof value} ${String(value)}`
  const text = value.startsWith('data:') ? value.replace(DATA_URL, '') : value
  if (text.length <= MAX_COMPARED_CHARACTERS) return text
  const half = MAX_COMPARED_CHARACTERS / 2
  return `${text.slice(0, half)}${text.length}${text.slice(-half)}`
}
