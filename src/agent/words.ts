const SPEECHLESS = 'Something failed and did not say why.'

/** What went wrong, in words. Anything at all can be thrown, and whatever it is, saying so must not fail. */
export function messageOf(error: unknown): string {
  try {
    const said = wordsIn(error)
    return said === '' ? SPEECHLESS : said
  } catch {
    return SPEECHLESS
  }
}

function wordsIn(error: unknown): string {
  if (typeof error === 'string') return error
  if (typeof error === 'number' || typeof error === 'bigint' || typeof error === 'symbol')
    return error.toString()
  if (typeof error !== 'object' || error === null) return ''
  if ('message' in error && typeof error.message === 'string') return error.message
  const text = JSON.stringify(error)
  return text === '{}' ? '' : text
}
