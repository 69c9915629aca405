import type { StreamCodec } from './stream-codec.ts'

/**
 * Creates a function that returns the chunks of a stream as text, for tools that show or record it. The text of a binary stream
 * has one payload per line, as logs have it; the decoder of the dialect reads it, too.
 */
export function createStreamTextReader({
  framing,
}: Partial<Pick<StreamCodec, 'framing'>>): (chunk: Uint8Array) => string {
  if (!framing?.isBinary) {
    const decoder = new TextDecoder()
    return (chunk) => decoder.decode(chunk, { stream: true })
  }
  let text = ''
  const parser = framing.createParser((payload) => {
    text += `${JSON.stringify(payload)}\n`
  })
  return (chunk) => {
    parser.push(chunk)
    const read = text
    text = ''
    return read
  }
}
