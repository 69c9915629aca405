import { readBytes } from './byte-source.ts'

const decoder = new TextDecoder()

/** Reads the body of a request as text; undefined if it is longer than the limit, in which case it is not read to its end. */
export async function readRequestText(request: Request, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return undefined
  // Decoded at once: a decoder that waits for the rest of a character needs twice the time.
  const bytes = request.body === null ? new Uint8Array() : await readBytes(request.body, maxBytes)
  return bytes && decoder.decode(bytes)
}
