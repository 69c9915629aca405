import type { JsonObject } from '../../wire/json.ts'

/** A text, or the empty one for anything else. */
export function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The `text` of a wire block; nothing where it has none. */
export function wireText(block: JsonObject | undefined): string {
  return wordOf(block?.['text'])
}
