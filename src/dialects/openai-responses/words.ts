/** A text, or the empty one for anything else. */
export function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
