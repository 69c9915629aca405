import { type ByteSource, openInput } from './input.ts'

/**
 * All bytes of a source; undefined where they are more than allowed, and the rest is then not read.
 *
 * @example
 * const bytes = await readBytes(response.body, 1_000_000)
 */
export async function readBytes(
  source: ByteSource,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const input = openInput(source)
  const encoder = new TextEncoder()
  const pieces: Uint8Array[] = []
  let size = 0
  for (let next = await input.read(); next.done !== true; next = await input.read()) {
    const piece = typeof next.value === 'string' ? encoder.encode(next.value) : next.value
    size += piece.length
    if (size > most) {
      // A source that does not let go must not hold us up.
      input.cancel(undefined).catch(() => {})
      return undefined
    }
    pieces.push(piece)
  }
  return joined(pieces, size)
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
