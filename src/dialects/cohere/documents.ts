import type { Message } from '../../canonical/model/message.ts'
import type { FilePart, OpaquePart, Part } from '../../canonical/model/part.ts'
import { fromBase64 } from '../../wire/base64.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { isList, isObject, type Json, type JsonObject, omitUndefined, tryParseJson } from '../../wire/json.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, getHints, withHints, withResidue } from '../engine/residue-slots.ts'
import { hasMediaField } from '../engine/setting-tables.ts'
import { createOpaquePart } from '../shared/opaque-content.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { DIALECT_SLOT } from './constants.ts'

/** The keys of a document's data that contain its text, in the order in which they are tried. */
const TEXT_KEYS = ['text', 'snippet', 'content'] as const

const textTypes = /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|x-ndjson)\b)/u

/**
 * Returns the messages with the documents of a request as files of the first user message; undefined if the documents cannot
 * be placed. The request has them beside the messages, and the model cites them by their position.
 */
export function placeDocuments(
  messages: readonly Message[],
  wire: Json | undefined,
): readonly Message[] | undefined {
  const index = messages.findIndex(({ role, content }) => role === 'user' && !content.some(isDocument))
  const first = messages[index]
  if (!isList(wire) || wire.length === 0 || first?.role !== 'user') return undefined
  return messages.with(index, { ...first, content: [...wire.map(decodeDocument), ...first.content] })
}

/** Returns true for a part that is written as a document of the request. */
export function isDocument(part: Part): part is FilePart | OpaquePart {
  if (part.type === 'opaque') return getHints(part, DIALECT_SLOT).wasDocument === true
  return part.type === 'file' && readTextFile(part) !== undefined
}

function decodeDocument(wire: Json): FilePart | OpaquePart {
  if (typeof wire === 'string')
    return createDocument(wire, undefined, { wasDocument: true, documentText: 'string' })
  const { data } = isObject(wire) ? wire : {}
  const fields = isObject(data) ? data : {}
  const key = TEXT_KEYS.find((name) => typeof fields[name] === 'string')
  if (key === undefined && isObject(data)) return decodeDataDocument(wire as JsonObject, fields)
  if (key === undefined)
    return withHints(createOpaquePart(DIALECT_SLOT, wire), DIALECT_SLOT, { wasDocument: true })
  const hints = { wasDocument: true, ...(key !== 'text' && { documentText: key }) }
  const part = createDocument(fields[key] as string, fields['title'], hints)
  return withResidue(
    part,
    DIALECT_SLOT,
    encodeText(part, part.source.kind === 'text' ? part.source.text : ''),
    wire,
    hints,
  )
}

/** Decodes a document without a text: the text of the file is its data as JSON. */
function decodeDataDocument(wire: JsonObject, data: JsonObject): FilePart {
  const hints = { wasDocument: true, documentText: 'json' }
  const part = createDocument(JSON.stringify(data), undefined, hints)
  return withResidue(part, DIALECT_SLOT, { data }, wire, hints)
}

function createDocument(
  text: string,
  title: Json | undefined,
  hints: { readonly wasDocument: boolean; readonly documentText?: string },
): FilePart {
  const part: FilePart = {
    type: 'file',
    source: { kind: 'text', text },
    ...(typeof title === 'string' && { name: title }),
  }
  return withHints(part, DIALECT_SLOT, hints)
}

/** Encodes a file with text, or a document that could not be decoded, as a document. */
export function encodeDocument(
  part: FilePart | OpaquePart,
  path: Path | undefined,
  context: EncodeContext,
): Json {
  if (part.type === 'opaque') return part.value
  reportUnsupportedFields(part, path, context)
  for (const key of ['detail', 'transcript'] as const)
    if (hasMediaField(part, key)) context.report('media-detail', child(path, key))
  if (part.mediaType !== undefined) context.report('media-type', child(path, 'mediaType'))
  return applyResidue(encodeText(part, readTextFile(part) ?? ''), part, DIALECT_SLOT)
}

function encodeText(part: FilePart, text: string): Json {
  const { documentText = 'text' } = getHints(part, DIALECT_SLOT)
  if (documentText === 'string' && part.name === undefined) return text
  const data = documentText === 'json' ? tryParseJson(text) : undefined
  if (isObject(data))
    return {
      data: omitUndefined({ ...data, title: part.name ?? data['title'] }) as JsonObject,
    }
  const key = TEXT_KEYS.find((name) => name === documentText) ?? 'text'
  return { data: omitUndefined({ title: part.name, [key]: text }) as JsonObject }
}

/** Returns the text of a file; undefined for a file that is not text. */
export function readTextFile({ source }: FilePart): string | undefined {
  if (source.kind === 'text') return source.text
  if (source.kind !== 'base64' || !textTypes.test(source.mediaType)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fromBase64(source.data))
  } catch {
    return undefined
  }
}
