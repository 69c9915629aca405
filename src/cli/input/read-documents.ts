import { accumulate } from '../../canonical/stream/accumulate.ts'
import type { Terminal } from '../command-io.ts'
import type { InputFault } from '../error-output.ts'
import { decodeDocument, decodeKnownStream, type InputDocument } from './input-document.ts'
import { type InputFormatOptions, isDialectName } from './input-format-names.ts'
import { readLines, encodeToBytes, decodeBytes, getLineText } from './bytes-to-text.ts'
import { tryParseJson } from '../../wire/json.ts'
import { listConversations } from './library-messages.ts'
import { peekFirstLine } from './peek-input.ts'
import {
  detectLayout,
  detectStreamFormat,
  isStreamArray,
  parseDocumentText,
  parseJsonText,
} from './input-layout.ts'
import type { InputSource } from './input-source.ts'

/** A decoded document or the error, and its location. */
export interface DocumentResult extends InputFault {
  readonly document?: InputDocument
}

/** Yields every document of a file. An unreadable document yields its error and does not end the iteration. */
export async function* readDocuments(
  { name, bytes }: InputSource,
  options: InputFormatOptions,
  terminal: Terminal,
): AsyncGenerator<DocumentResult, void, undefined> {
  const peeked = await peekFirstLine(bytes)
  const layout = detectLayout(peeked, name, options)
  if (layout === 'lines') {
    for await (const line of readLines(peeked.bytes, terminal.signal))
      yield {
        file: name,
        line: line.lineNumber,
        ...(await toResult(() => decodeDocument(parseJsonText(getLineText(line)), options))),
      }
    return
  }
  const text = await decodeBytes(peeked.bytes)
  const records = layout === 'document' ? listTextConversations(text, options) : undefined
  if (records === undefined)
    yield { file: name, ...(await toResult(() => readText(text, layout === 'stream', options))) }
  else
    for (const record of records)
      yield { file: name, ...(await toResult(() => decodeDocument(record, options))) }
}

/** Returns the conversations of a JSON list; undefined for any other text. */
function listTextConversations(text: string, options: InputFormatOptions): readonly unknown[] | undefined {
  return listConversations(tryParseJson(text), options)
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

/** Decodes a complete text; a streamed response is accumulated. */
async function readText(
  text: string,
  isStream: boolean,
  options: InputFormatOptions,
): Promise<InputDocument> {
  const value = isStream ? undefined : parseDocumentText(text, options)
  const isStreamed = isStream || isStreamArray(value, text, options)
  return isStreamed ? readStream(text, options) : decodeDocument(value, options)
}

async function readStream(text: string, options: InputFormatOptions): Promise<InputDocument> {
  const detected = detectStreamFormat(text, options)
  const { name } = detected
  if (!isDialectName(name)) return decodeDocument(parseJsonText(text), options)
  const response = await accumulate(decodeKnownStream(name, encodeToBytes(text)))
  return { content: { kind: 'response', response }, detected, losses: [] }
}
