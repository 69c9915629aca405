import { InterlinguaError } from '../errors.ts'

/** Something that a guard does not let through. Neither address nor content is quoted: both are a stranger's. */
export function refused(found: string, expected: string, hint: string): InterlinguaError {
  return new InterlinguaError('fetch-refused', `Not fetched: ${found}`, { found, expected, hint })
}

/** A failure that has nothing to do with the guard. */
export function fetchFailed(reason: string, cause?: unknown): InterlinguaError {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  return new InterlinguaError('fetch-failed', `${reason}${code}`, {
    retryable: true,
    hint: 'Try again later.',
  })
}

/** Whether a media type is among those that are accepted, `image/*` meaning all of its kind. */
export function acceptsType(given: string | undefined, accepted: readonly string[] | undefined): boolean {
  if (accepted === undefined) return true
  const type = (given ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return accepted.some((each) =>
    each.endsWith('/*') ? type.startsWith(each.slice(0, -1).toLowerCase()) : type === each.toLowerCase(),
  )
}

/** A body up to a size; one that says beforehand that it is larger is not begun. */
export async function readLimited(
  body: AsyncIterable<Uint8Array>,
  announced: number,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let size = 0
  if (announced > maxBytes) throw tooLarge(maxBytes)
  for await (const piece of body) {
    size += piece.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    pieces.push(piece)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

function tooLarge(maxBytes: number): InterlinguaError {
  return refused('a body that is too large', `at most ${maxBytes} bytes`, 'Raise maxBytes, if it is meant.')
}
