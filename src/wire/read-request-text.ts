import { readBytes } from './byte-source.ts'

const decoder = new TextDecoder()

/** Reads the body of a request as text; undefined if it is longer than the limit, in which case it is not read to its end. */
export async function readRequestText(request: Request, maxBytes: number): Promise<string | undefined> {
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > maxBytes) return undefined
  // HTTP ends the body at the stated length, so it needs no limit: servers read it faster as a whole than through a web stream.
  if (length !== null) return removeByteOrderMark(await request.text())
  // Decoded at once: a decoder that waits for the rest of a character needs twice the time.
  const bytes = request.body === null ? new Uint8Array() : await readBytes(request.body, maxBytes)
  return bytes && decoder.decode(bytes)
}

/** Servers that decode the text themselves keep the mark. */
function removeByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}
