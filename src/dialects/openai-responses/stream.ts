import type { JsonObject } from '../../wire/json.ts'
import type { StreamReader } from '../frames.ts'
export function streamReader(): StreamReader {
  return { read: () => [], end: () => [] }
}
export function kindOf({ type }: JsonObject): string {
  return typeof type === 'string' ? type : ''
}
