import { child, type Path, toPointer } from '../../../wire/json-pointer.ts'
import { isObject } from '../../../wire/json.ts'
import type { Difference } from './compare-values.ts'

/** The type of the value on a line, for its color. */
export type LineKind = 'string' | 'number' | 'literal' | 'bracket'

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

/** Marks of lines, by pointer. */
export interface LineMarks {
  readonly differences?: ReadonlyMap<string, Difference>
  readonly losses?: ReadonlyMap<string, readonly number[]>
}

/** The lines that are sent to the page at once. */
export const LINES_AT_ONCE = 400

/** Of a longer text, only the start is shown. */
const MAX_SHOWN_CHARACTERS = 1500

/** Formats a JSON value as lines, each with its place and its marks. */
export function formatJsonLines(value: unknown, marks: LineMarks = {}): readonly JsonLine[] {
  const lines: JsonLine[] = []
  const write = (current: unknown, path: Path | undefined, comma: string, depth: number): void => {
    const pointer = toPointer(path)
    const start = {
      depth,
      pointer,
      ...(typeof path?.key === 'string' && { key: path.key }),
      ...getMarks(marks, pointer),
    }
    const isList = Array.isArray(current)
    if (!isList && !isObject(current)) {
      lines.push({ ...start, text: `${formatScalar(current)}${comma}`, kind: getKind(current) })
      return
    }
    const entries: (readonly [string | number, unknown])[] = isList
      ? [...current.entries()]
      : Object.entries(current).filter(([, item]) => item !== undefined)
    const [open, close] = isList ? '[]' : '{}'
    if (entries.length === 0) {
      lines.push({ ...start, text: `${open}${close}${comma}`, kind: 'bracket' })
      return
    }
    lines.push({ ...start, text: open ?? '', kind: 'bracket' })
    for (const [index, [key, item]] of entries.entries())
      write(item, child(path, key), index === entries.length - 1 ? '' : ',', depth + 1)
    lines.push({ depth, text: `${close}${comma}`, kind: 'bracket' })
  }
  write(value, undefined, '', 0)
  return lines
}

function getMarks(
  { differences, losses }: LineMarks,
  pointer: string,
): Pick<JsonLine, 'difference' | 'losses'> {
  const difference = differences?.get(pointer)
  const found = losses?.get(pointer)
  return {
    ...(difference !== undefined && { difference }),
    ...(found !== undefined && { losses: found }),
  }
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
