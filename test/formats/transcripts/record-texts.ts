import type { Transcript } from 'interlingua/formats'

/** Keys whose values the canonical model has in other words, such as `end_turn` and `stop`. */
const TRANSLATED_KEYS = new Set(['type', 'role', 'stop_reason', 'stopReason', 'api', 'status'])

/** Returns the texts of a JSON value that must be in the result; short ones prove nothing. */
function listTexts(value: unknown, key = ''): readonly string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, each]) => listTexts(each, Array.isArray(value) ? key : name))
  if (typeof value !== 'string' || value.length < 4 || TRANSLATED_KEYS.has(key)) return []
  if (key === 'arguments') return listTexts(tryParse(value))
  // The canonical model has the media type and the data apart.
  return [value.replace(/^data:[^,]*,/, '')]
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { text }
  }
}

/** Returns the records of a file: JSON, or one record per line. */
export function parseRecords(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : [value]
  } catch {
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line))
  }
}

/** Returns the texts of records that are nowhere in a transcript. */
export function findMissingTexts(transcript: Transcript, records: readonly unknown[]): readonly string[] {
  const read = JSON.stringify(transcript)
  return records
    .flatMap((record) => listTexts(record))
    .filter((text) => !read.includes(JSON.stringify(text).slice(1, -1)))
}
