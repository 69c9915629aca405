import { InterlinguaError } from '../errors.ts'
import { describeType } from './json.ts'

/**
 * Returns a parsed URL, or undefined. Not by `URL.canParse`: that of Node 20 refuses valid URLs with a character such as `ü` as soon
 * as the compiler has optimized its caller.
 */
export function tryParseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/**
 * Encodes a text as one segment of a URL path: no character of it can end the segment, and `.` and `..`, which URL
 * parsers resolve even if they are percent-encoded, are rejected. `field` is the path of the text in its input.
 *
 * @example
 * encodePathSegment('org/model', '/model') // 'org%2Fmodel'
 */
export function encodePathSegment(text: string, field: string): string {
  if (isValidSegment(text)) return encodeURIComponent(text)
  throw new InterlinguaError('invalid-value', `The field ${field} cannot be part of a URL path`, {
    path: field,
    found: describeType(text),
    expected: 'text without the segments `.` and `..` and without lone surrogates',
    hint: 'Use the name from the documentation of the provider.',
  })
}

function isValidSegment(text: string): boolean {
  if (typeof text !== 'string' || text === '' || !text.isWellFormed()) return false
  // Some servers decode slashes before they resolve dots.
  return !text.split(/[\\/]/).some((segment) => segment === '.' || segment === '..')
}

/** Decodes a segment of a URL path or hash; one that is not validly encoded is returned unchanged. */
export function tryDecodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
