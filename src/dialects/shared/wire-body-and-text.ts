import type { JsonObject } from '../../wire/json.ts'

/** Returns a string unchanged, and an empty string for any other value. */
export function readStringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the `text` of a wire block, or an empty string. */
export function getBlockText(block: JsonObject | undefined): string {
  return readStringOrEmpty(block?.['text'])
}
