import { accumulate } from '../../canonical/stream/accumulate.ts'
import { detect } from '../../dialects/engine/detect.ts'
import { dialects } from '../../dialects/dialects.ts'
import type { Terminal } from '../command-io.ts'
import { type InputDocument, isDialectName, readDocument, type InputFormatOptions } from './document.ts'
import { readLines, encodeToBytes, decodeBytes } from './bytes-to-text.ts'
import { peekFirstLine } from './peek.ts'
import { parseJsonText, detectStreamFormat, detectLayout } from './layout.ts'
import type { InputSource } from './source.ts'

/** A document, or why there is none, and where it stood. */
export interface DocumentResult {
  readonly file: string
  readonly line?: number
  readonly document?: InputDocument
  readonly error?: unknown
}

/** Every document of a file, whatever its shape; what cannot be read is told with its place, and the rest goes on. */
export async function* readDocuments(
  { name, bytes }: InputSource,
  told: InputFormatOptions,
  terminal: Terminal,
): AsyncGenerator<DocumentResult, void, undefined> {
  const peeked = await peekFirstLine(bytes)
  const shape = detectLayout(peeked, name, told)
  if (shape !== 'lines') {
    const text = await decodeBytes(peeked.bytes)
    yield { file: name, ...(await toResult(() => readText(text, shape === 'stream', told))) }
    return
  }
  for await (const { lineNumber, text } of readLines(peeked.bytes, terminal.signal)) {
    yield { file: name, line: lineNumber, ...(await toResult(() => readDocument(parseJsonText(text), told))) }
  }
}

async function toResult(
  act: () => InputDocument | Promise<InputDocument>,
): Promise<Pick<DocumentResult, 'document' | 'error'>> {
  try {
    return { document: await act() }
  } catch (error) {
    return { error }
  }
}

/** A whole text: a streamed answer is gathered. */
async function readText(text: string, streamed: boolean, told: InputFormatOptions): Promise<InputDocument> {
  const value = streamed ? undefined : parseJsonText(text)
  const isList = Array.isArray(value) && detect(text)[0]?.kind === 'stream'
  return streamed || isList ? readStream(text, told) : readDocument(value, told)
}

/** A streamed answer as the response that it is. */
async function readStream(text: string, told: InputFormatOptions): Promise<InputDocument> {
  const detected = detectStreamFormat(text, told)
  const { name } = detected
  if (!isDialectName(name)) return readDocument(parseJsonText(text), told)
  const response = await accumulate(dialects[name].decodeStream(encodeToBytes(text)))
  return { content: { kind: 'response', response }, detected, losses: [] }
}
