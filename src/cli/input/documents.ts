import { accumulate } from '../../canonical/stream/accumulate.ts'
import { detect } from '../../dialects/detect.ts'
import { dialects } from '../../dialects/translate.ts'
import type { Terminal } from '../terminal.ts'
import { type Document, isDialect, readDocument, type Told } from './document.ts'
import { linesOf } from './lines.ts'
import { peek } from './peek.ts'
import { parseText, recogniseStream, shapeOf } from './shape.ts'
import type { Source } from './source.ts'
import { bytesOf, textOfBytes } from './text.ts'

/** A document, or why there is none, and where it stood. */
export interface Found {
  readonly file: string
  readonly line?: number
  readonly document?: Document
  readonly error?: unknown
}

/** Every document of a file, whatever its shape; what cannot be read is told with its place, and the rest goes on. */
export async function* documentsOf(
  { name, bytes }: Source,
  told: Told,
  terminal: Terminal,
): AsyncGenerator<Found, void, undefined> {
  const peeked = await peek(bytes)
  const shape = shapeOf(peeked, name, told)
  if (shape !== 'lines') {
    const text = await textOfBytes(peeked.bytes)
    yield { file: name, ...(await read(() => readText(text, shape === 'stream', told))) }
    return
  }
  for await (const { number, text } of linesOf(peeked.bytes, terminal.signal)) {
    yield { file: name, line: number, ...(await read(() => readDocument(parseText(text), told))) }
  }
}

async function read(act: () => Document | Promise<Document>): Promise<Pick<Found, 'document' | 'error'>> {
  try {
    return { document: await act() }
  } catch (error) {
    return { error }
  }
}

/** A whole text: a streamed answer is gathered. */
async function readText(text: string, streamed: boolean, told: Told): Promise<Document> {
  const value = streamed ? undefined : parseText(text)
  const isList = Array.isArray(value) && detect(text)[0]?.kind === 'stream'
  return streamed || isList ? readStream(text, told) : readDocument(value, told)
}

/** A streamed answer as the response that it is. */
async function readStream(text: string, told: Told): Promise<Document> {
  const detected = recogniseStream(text, told)
  const { name } = detected
  if (!isDialect(name)) return readDocument(parseText(text), told)
  const response = await accumulate(dialects[name].decodeStream(bytesOf(text)))
  return { content: { kind: 'response', response }, detected, losses: [] }
}
