import { isObject } from '../../../wire/json.ts'
import { child, parsePointer, type Path, toPointer } from '../../../wire/json-pointer.ts'
import type { Difference, DifferenceFinder } from './compare-values.ts'

/** The type of the value on a line, for its color. */
type LineKind = 'string' | 'number' | 'literal' | 'bracket'

/** A line of formatted JSON. */
export interface JsonLine {
  readonly depth: number
  /** The place of the value; absent for closing brackets. */
  readonly pointer?: string
  readonly key?: string
  /** The value or the bracket, as JSON text; long texts are shortened. */
  readonly text: string
  readonly kind: LineKind
  readonly difference?: Difference
  /** The positions in the list of losses of those that are reported at this place. */
  readonly losses?: readonly number[]
}

/** Marks of lines: differences by value, and losses by place. */
export interface LineMarks {
  readonly findDifference?: DifferenceFinder
  readonly losses?: ReadonlyMap<string, readonly number[]>
}

/** The lines that are sent to the page at once. */
export const LINES_AT_ONCE = 400

/** Of a longer text, only the start is shown. */
const MAX_SHOWN_CHARACTERS = 1500

/**
 * Formats a JSON value as lines, each with its place and its marks. Only the lines that are read are formatted: a body may
 * have millions of them.
 */
export class JsonLines {
  readonly #value: unknown
  readonly #marks: LineMarks
  /** The number of lines of each object and list. */
  readonly #counts = new WeakMap<object, number>()
  /** The lines before each entry, for the objects and lists that contain a place. */
  readonly #offsets = new WeakMap<object, ReadonlyMap<string, number>>()

  constructor(value: unknown, marks: LineMarks = {}) {
    this.#value = value
    this.#marks = marks
  }

  /** The number of lines. */
  get count(): number {
    return this.#measure(this.#value)
  }

  /** Returns the line of a place, or of the nearest value that contains it. */
  findLine(pointer: string): { readonly line: number; readonly pointer: string } {
    let value = this.#value
    let line = 0
    let path: Path | undefined
    for (const key of parsePointer(pointer)) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) break
      line += 1 + (this.#listOffsets(value).get(key) ?? 0)
      value = (value as { readonly [key: string]: unknown })[key]
      path = child(path, key)
    }
    return { line, pointer: toPointer(path) }
  }

  /** Returns lines of a range. */
  read(start: number, count: number): readonly JsonLine[] {
    const lines: JsonLine[] = []
    const end = start + count
    const write = (
      value: unknown,
      first: number,
      path: Path | undefined,
      comma: string,
      depth: number,
    ): void => {
      const last = first + this.#measure(value) - 1
      if (last < start || first >= end) return
      if (first >= start) lines.push(this.#format(value, path, first === last ? comma : '', depth))
      if (first === last) return
      const entries = listEntries(value)
      let position = first + 1
      for (const [index, [key, item]] of entries.entries()) {
        write(item, position, child(path, key), index === entries.length - 1 ? '' : ',', depth + 1)
        position += this.#measure(item)
        if (position >= end) return
      }
      lines.push({ depth, text: `${Array.isArray(value) ? ']' : '}'}${comma}`, kind: 'bracket' })
    }
    write(this.#value, 0, undefined, '', 0)
    return lines
  }

  /** Returns the number of lines of a value. */
  #measure(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 1
    const known = this.#counts.get(value)
    if (known !== undefined) return known
    let inner = 0
    if (Array.isArray(value)) for (const item of value) inner += this.#measure(item)
    else
      for (const key in value)
        if (Object.hasOwn(value, key)) {
          const item = (value as { readonly [key: string]: unknown })[key]
          if (item !== undefined) inner += this.#measure(item)
        }
    const count = inner === 0 ? 1 : inner + 2
    this.#counts.set(value, count)
    return count
  }

  #listOffsets(value: object): ReadonlyMap<string, number> {
    const known = this.#offsets.get(value)
    if (known !== undefined) return known
    const offsets = new Map<string, number>()
    let offset = 0
    for (const [key, item] of listEntries(value)) {
      offsets.set(String(key), offset)
      offset += this.#measure(item)
    }
    this.#offsets.set(value, offsets)
    return offsets
  }

  /** Formats the line on which a value starts. */
  #format(value: unknown, path: Path | undefined, comma: string, depth: number): JsonLine {
    const pointer = toPointer(path)
    const losses = this.#marks.losses?.get(pointer)
    const key = typeof path?.key === 'string' ? path.key : undefined
    const start = {
      depth,
      pointer,
      ...(key !== undefined && { key }),
      ...(losses !== undefined && { losses }),
    }
    if (Array.isArray(value) || isObject(value)) {
      const [open, close] = Array.isArray(value) ? '[]' : '{}'
      const isEmpty = listEntries(value).length === 0
      return { ...start, text: `${open}${isEmpty ? close : ''}${comma}`, kind: 'bracket' }
    }
    const difference = this.#marks.findDifference?.(value, getFieldName(path))
    return {
      ...start,
      text: `${formatScalar(value)}${comma}`,
      kind: getKind(value),
      ...(difference !== undefined && { difference }),
    }
  }
}

/** Items of lists have the name of the field that contains the list. */
function getFieldName(path: Path | undefined): string {
  let step = path
  while (step !== undefined && typeof step.key === 'number') step = step.parent
  return step === undefined ? '' : String(step.key)
}

function listEntries(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return [...value.entries()]
  return Object.entries(value as object).filter(([, item]) => item !== undefined)
}

function getKind(value: unknown): LineKind {
  if (typeof value === 'string') return 'string'
  return typeof value === 'number' ? 'number' : 'literal'
}

function formatScalar(value: unknown): string {
  if (typeof value !== 'string' || value.length <= MAX_SHOWN_CHARACTERS)
    return JSON.stringify(value) ?? 'null'
  const shown = JSON.stringify(value.slice(0, MAX_SHOWN_CHARACTERS))
  const rest = value.length - MAX_SHOWN_CHARACTERS
  return `${shown.slice(0, -1)}… ${rest.toLocaleString('en')} more characters"`
}
