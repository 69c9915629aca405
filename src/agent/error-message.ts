const UNKNOWN_ERROR_MESSAGE = 'Unknown error.'

/** Returns the message of a thrown value. Any value can be thrown; this function never throws. */
export function errorMessageOf(error: unknown): string {
  try {
    const extracted = extractMessage(error)
    return extracted === '' ? UNKNOWN_ERROR_MESSAGE : extracted
  } catch {
    return UNKNOWN_ERROR_MESSAGE
  }
}

function extractMessage(error: unknown): string {
  if (typeof error === 'string') return error
  if (typeof error === 'number' || typeof error === 'bigint' || typeof error === 'symbol')
    return error.toString()
  if (typeof error !== 'object' || error === null) return ''
  if ('message' in error && typeof error.message === 'string') return error.message
  const text = JSON.stringify(error)
  return text === '{}' ? '' : text
}
