import type { DialectName } from '../../../dialects/engine/dialect.ts'
import { isObject, type Json, type JsonObject, readStringOrEmpty, tryParseJson } from '../../../wire/json.ts'

/** A wire event, and what it leads to. */
export interface PlaybackStep {
  /** The text of the event as it arrived; empty for the end of the stream. */
  readonly wire: string
  /** The type of the event, for people. */
  readonly label: string
  /** The canonical events, without the fields that only restore the original stream. */
  readonly events: readonly JsonObject[]
  /** The text that a client of each dialect receives because of this event. */
  readonly received: { readonly [name in DialectName]?: string }
}

/** A part of the answer so far. */
export interface ShownPart {
  readonly type: string
  readonly text: string
}

/**
 * Returns a function that joins the events up to a step into the parts that a user interface would show. Playing forward reads
 * only the events since the last call.
 */
export function createPartJoiner(steps: readonly PlaybackStep[]): (end: number) => readonly ShownPart[] {
  const parts = new Map<string, { type: string; pieces: string[] }>()
  let joined = 0
  return (end) => {
    if (end < joined) {
      parts.clear()
      joined = 0
    }
    for (const { events } of steps.slice(joined, end)) for (const event of events) addEvent(parts, event)
    joined = end
    return Array.from(parts.values(), ({ type, pieces }) => ({ type, text: pieces.join('') }))
  }
}

function addEvent(parts: Map<string, { type: string; pieces: string[] }>, event: JsonObject): void {
  const { type, candidate = 0, index = 0, part, replaces } = event
  // Another answer starts.
  if (type === 'start' && candidate === 0) parts.clear()
  const key = JSON.stringify([candidate, index])
  if (isObject(part) && (type === 'part-start' || replaces === true)) {
    const name = typeof part['name'] === 'string' ? ` ${part['name']}` : ''
    const text = replaces === true ? (part['text'] ?? part['arguments']) : part['text']
    parts.set(key, { type: `${readStringOrEmpty(part['type'])}${name}`, pieces: [toText(text)] })
  }
  const delta = readDelta(event)
  if (delta !== undefined) parts.get(key)?.pieces.push(delta)
}

function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function readDelta(event: JsonObject): string | undefined {
  if (!readStringOrEmpty(event['type']).endsWith('-delta')) return undefined
  const value: Json | undefined = event['text'] ?? event['json']
  return typeof value === 'string' ? value : undefined
}

/** Formats the JSON of wire events for people; other lines stay as they are. */
export function formatWire(text: string): string {
  return text
    .trim()
    .split(/\r\n|\n|\r/)
    .map(formatWireLine)
    .join('\n')
}

function formatWireLine(line: string): string {
  const [, field = '', rest = ''] = /^(data:\s?|[,[\s]*)(.*)$/.exec(line) ?? []
  const value = /^[[{]/.test(rest) ? tryParseJson(rest) : undefined
  return value === undefined ? line : `${field}${JSON.stringify(value, undefined, 2)}`
}
