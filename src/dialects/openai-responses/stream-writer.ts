import type { StreamWriter } from '../frames.ts'
export function streamWriter(): StreamWriter {
  return { frame: () => ({}), wrote: () => {}, plan: () => [], end: () => [] }
}
