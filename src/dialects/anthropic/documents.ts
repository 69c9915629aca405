import type { FilePart } from '../../canonical/model/part.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Hints } from '../../wire/residue.ts'
import { SLOT } from './codes.ts'
import type { Read } from './parts.ts'
import type { AnthropicHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** What stands between the blocks of a text. */
const BREAK = '\n'

/** Reads what a search found: a text that has a name. Its address is the provider's to cite. */
export function decodeSearchResult({ title, content }: Wire): Read | undefined {
  const read = typeof content === 'string' ? undefined : readText(content)
  if (read === undefined || typeof title !== 'string') return undefined
  return { part: { ...read.part, name: title }, hints: { ...read.hints, wireType: 'search_result' } }
}

/** Reads a text that comes in blocks, or as one. Blocks that say more than their text are not taken apart. */
export function readText(
  content: Json | undefined,
): { part: FilePart; hints: Hints<AnthropicHint> } | undefined {
  const blocks = isList(content) && content.length > 0 && content.every(isPlain) ? content : undefined
  if (typeof content !== 'string' && blocks === undefined) return undefined
  const texts = blocks?.map(({ text }) => text) ?? [content as string]
  const source = { kind: 'text', text: texts.join(BREAK) } as const
  const part: FilePart = { type: 'file', source, mediaType: 'text/plain' }
  const lengths = blocks === undefined ? 'string' : texts.map(({ length }) => length)
  return { part, hints: { textBlockLengths: lengths } }
}

function isPlain(block: Json): block is { readonly type: 'text'; readonly text: string } {
  return (
    isObject(block) &&
    block['type'] === 'text' &&
    typeof block['text'] === 'string' &&
    Object.keys(block).length === 2
  )
}

/** A text in the blocks that it came in, while it still is that long; else in one. */
export function writeText(text: string, { textBlockLengths: lengths }: Hints<AnthropicHint>): Json {
  if (lengths === 'string') return text
  return (cut(text, lengths) ?? [text]).map((each) => ({ type: 'text', text: each }))
}

function cut(text: string, lengths: Json | undefined): readonly string[] | undefined {
  if (!isList(lengths)) return undefined
  let at = 0
  const texts = lengths.map((length) => {
    const each = text.slice(at, at + Number(length))
    at += each.length + BREAK.length
    return each
  })
  return texts.join(BREAK) === text ? texts : undefined
}

/** Writes what a search found. */
export function encodeSearchResult(
  text: string,
  name: string | undefined,
  hints: Hints<AnthropicHint>,
): JsonObject {
  return { type: 'search_result', title: name ?? '', content: writeText(text, hints) }
}

/** Reads a file that is put where the provider's code runs. */
export function decodeUpload({ file_id: id }: Wire): Read | undefined {
  if (typeof id !== 'string' || id === '') return undefined
  const part: FilePart = { type: 'file', source: { kind: 'id', id, provider: SLOT } }
  return { part, hints: { wireType: 'container_upload' } }
}
