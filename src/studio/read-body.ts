import { InterlinguaError } from '../errors.ts'

/** The largest body: a conversation with its files. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/** Reads the text of a request, up to a limit. */
export async function readBody({ body }: Request): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES)
      throw new InterlinguaError('too-many-elements', 'The body of the request is too large', {
        found: 'more than 64 MiB',
        expected: 'at most 64 MiB',
      })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
