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
