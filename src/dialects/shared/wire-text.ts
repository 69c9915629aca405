import type { JsonObject } from '../../wire/json.ts'

/** The `text` of a wire block; nothing where it has none. */
export function wireText(block: JsonObject | undefined): string {
  return typeof block?.['text'] === 'string' ? block['text'] : ''
}
