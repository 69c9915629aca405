import { writeOpaquePart } from '../engine/omitted-fields.ts'
import { mediaTypeOf } from '../../canonical/build/media.ts'
import type {
  MediaPart,
  OpaquePart,
  Part,
  ReasoningPart,
  RefusalPart,
  TextPart,
  ToolCallPart,
} from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { throwInvalid } from '../../canonical/shape/shape.ts'
import { applyResidue, attachResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { isObject, readStringOrEmpty, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import {
  buildMedia,
  readReference,
  readSource,
  writeFileData,
  writeMediaDetails,
  writeMediaType,
} from '../ai-sdk-shared/media.ts'
import {
  addProviderMetadata,
  buildPartMetadata,
  readOwnProviderMetadata,
} from '../ai-sdk-shared/provider-metadata.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { readJsonArguments, writeJsonArguments } from '../engine/json-arguments.ts'
import type { PartWriter } from '../engine/message-format.ts'
import { MODEL_SLOT, NAME } from './constants.ts'

/** Spellings of version 4. */
const VERSION_4_KEYS = { input: ['args'], mediaType: ['mimeType'] } as const

/** The part types that are not tool results. */
export type ContentPart = TextPart | ReasoningPart | RefusalPart | MediaPart | ToolCallPart | OpaquePart

/** Reads the part types that are not tool results; an unknown one is kept as it is. */
export function readPart(wire: JsonObject, path: Path): ContentPart {
  const part = readFields(wire, path)
  if (part === undefined) return checkAndFreezePart({ type: 'opaque', dialect: NAME, value: wire }, path)
  const options = wire['providerOptions'] ?? wire['experimental_providerMetadata']
  const checked = addProviderMetadata<ContentPart>(part, options, path)
  const write = (unit: ContentPart): JsonObject | undefined => writePart(unit, undefined, silentReporter)
  const hints = wire['type'] === 'image' ? { imagePart: true } : {}
  return attachResidue(checked, MODEL_SLOT, hints, wire, write, { aliases: VERSION_4_KEYS })
}

function readFields(wire: JsonObject, path: Path): ContentPart | undefined {
  const { type, text, providerOptions } = wire
  const own = readOwnProviderMetadata(providerOptions)
  switch (readStringOrEmpty(type)) {
    case 'text':
      return { type: own['refusal'] === true ? 'refusal' : 'text', text: text as string }
    case 'reasoning': {
      const { summary, redacted } = own
      const marks = { ...(summary === true && { summary }), ...(redacted === true && { redacted }) }
      return { type: 'reasoning', text: text as string, ...marks }
    }
    case 'image':
    case 'file':
      return readMedia(wire, own, path)
    case 'tool-call': {
      const { toolCallId, toolName, input, args, providerExecuted } = wire
      return {
        type: 'tool-call',
        id: toolCallId as string,
        name: toolName as string,
        ...readJsonArguments(input ?? args),
        ...(providerExecuted === true && { executedBy: 'provider' }),
      }
    }
  }
  return undefined
}

/** Reads an image or a file: text, or since version 7 an object with the type of the data or with the ids of providers. */
function readMedia(wire: JsonObject, own: JsonObject, path: Path): MediaPart {
  const isImage = wire['type'] === 'image'
  const { mediaType: given, mimeType, filename } = wire
  const mediaType = given ?? mimeType ?? (isImage ? 'image/*' : undefined)
  const data = isImage ? wire['image'] : wire['data']
  const source = readFileData(data, mediaType)
  if (source !== undefined)
    return buildMedia(source, mediaType, filename, isImage ? { type: 'image', ...own } : own)
  const expected = 'base64, a URL or the reference of a file'
  return throwInvalid('invalid-type', child(path, isImage ? 'image' : 'data'), 'no data of a file', expected)
}

/** Reads the data of a file in all forms of the SDK. */
export function readFileData(
  data: Json | undefined,
  mediaType: Json | undefined,
): MediaPart['source'] | undefined {
  if (typeof data === 'string') return readSource(data, mediaType)
  if (!isObject(data)) return undefined
  const { type, data: bytes, url, text, reference } = data
  if (type === 'data' && typeof bytes === 'string') return readSource(bytes, mediaType)
  if (type === 'url' && typeof url === 'string') return readSource(url, mediaType)
  if (type === 'text' && typeof text === 'string') return { kind: 'text', text }
  return readReference(type === 'reference' ? reference : data)
}

/** Writes a part that is not a tool result; undefined for a block of another format. */
export const writePart: PartWriter = (part, path, report) => {
  switch (part.type) {
    case 'text':
      return patch({ type: 'text', text: part.text }, part, path, report)
    case 'refusal':
      return patch({ type: 'text', text: part.text }, part, path, report, { refusal: true })
    case 'reasoning': {
      const { summary, redacted } = part
      const own = omitUndefined({ summary, redacted }) as JsonObject
      return patch({ type: 'reasoning', text: part.text }, part, path, report, own)
    }
    case 'tool-call':
      return patch(writeCall(part), part, path, report)
    case 'opaque':
      return writeOpaquePart(part, NAME, path, report)
    case 'json':
    case 'tool-result':
      report.add('part-unsupported', path)
      return undefined
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return patch(writeFile(part, path, report), part, path, report, writeMediaDetails(part))
  }
}

function patch(
  wire: JsonObject,
  part: Part,
  path: Path | undefined,
  report: FormatReporter,
  own: JsonObject = {},
): JsonObject {
  const providerOptions = buildPartMetadata(part, path, report, own)
  return applyResidue({ ...wire, ...(providerOptions && { providerOptions }) }, part, MODEL_SLOT)
}

function writeCall(call: ToolCallPart): JsonObject {
  const { id, name, executedBy } = call
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: writeJsonArguments(call),
    ...(executedBy && { providerExecuted: true }),
  }
}

function writeFile(part: MediaPart, path: Path | undefined, report: FormatReporter): JsonObject {
  const known = mediaTypeOf(part)
  // An image part needs no media type, unlike a file.
  if (part.type === 'image' && getHints(part, MODEL_SLOT).imagePart === true)
    return {
      type: 'image',
      image: writeFileData(part.source),
      ...(known !== undefined && { mediaType: known }),
    }
  const mediaType = writeMediaType(part, child(path, 'mediaType'), report)
  const data = writeFileData(part.source)
  return { type: 'file', data, mediaType, ...(part.name !== undefined && { filename: part.name }) }
}
