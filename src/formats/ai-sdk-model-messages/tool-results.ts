import { writeOpaquePart } from '../engine/omitted-fields.ts'
import { mediaTypeOf } from '../../canonical/build/media.ts'
import { json, text } from '../../canonical/build/parts.ts'
import type { IdSource, MediaPart, ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { applyResidue, attachResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import {
  isEmptyObject,
  isObject,
  readStringOrEmpty,
  type Json,
  type JsonObject,
  omitUndefined,
  tryParseJson,
} from '../../wire/json.ts'
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
import { readPlainContent, toPlainContent } from '../engine/result-content.ts'
import { MODEL_SLOT, NAME } from './constants.ts'
import { readFileData } from './parts.ts'

/** What the model reads about a call that was not approved, if no reason is given. */
const DENIED = 'Tool call execution denied.'

/** Reads a tool result with its residue. */
export function readToolResult(wire: JsonObject, path: Path): ToolResultPart {
  const { toolCallId, toolName, providerOptions } = wire
  // The SDK requires it; without it, the name of the call would be written.
  if (typeof toolName !== 'string')
    return throwWrongType(toolName, child(path, 'toolName'), 'the name of the tool')
  const part = {
    type: 'tool-result',
    callId: toolCallId as string,
    name: toolName,
    ...readOutput(wire, path),
  } as const
  const checked = addProviderMetadata<ToolResultPart>(part, providerOptions, path)
  return attachResidue(checked, MODEL_SLOT, {}, wire, (unit) =>
    writeToolResult(unit, undefined, undefined, silentReporter),
  )
}

function readOutput(wire: JsonObject, path: Path): Pick<ToolResultPart, 'content' | 'isError'> {
  const { output, result, isError } = wire
  const at = child(path, 'output')
  const { type, value, reason } = isObject(output) ? output : {}
  const failed = { isError: true } as const
  const plain =
    readOwnProviderMetadata(wire['providerOptions'])['content'] === true
      ? readPlainContent(value, at)
      : undefined
  switch (readStringOrEmpty(type)) {
    case 'text':
      return { content: [text(value as string)] }
    case 'error-text':
      return { content: [text(value as string)], ...failed }
    case 'json':
      return { content: [json(value ?? null)] }
    case 'error-json':
      return { content: plain ?? [json(value ?? null)], ...failed }
    case 'execution-denied':
      return { content: [text(typeof reason === 'string' ? reason : DENIED)], ...failed }
    case 'content':
      if (Array.isArray(value))
        return { content: value.map((item: Json, index) => readItem(item, child(child(at, 'value'), index))) }
  }
  // Version 4 has the output as it is.
  const given = result === undefined ? output : result
  const content = given === undefined ? [] : [typeof given === 'string' ? text(given) : json(given)]
  return { content, ...(isError === true && failed) }
}

/** The items of a result that are media, with the type of the part if the item does not state it. */
const MEDIA_ITEMS: ReadonlyMap<Json | undefined, MediaPart['type'] | undefined> = new Map([
  ['image-data', 'image'],
  ['image-url', 'image'],
  ['image-file-id', 'image'],
  ['image-file-reference', 'image'],
  ['file-data', undefined],
  ['file-url', undefined],
  ['file-id', undefined],
  ['file-reference', undefined],
  ['file', undefined],
  ['media', undefined],
] as const)

function readItem(wire: Json, path: Path): ToolResultContent {
  const keepUnchanged = (): ToolResultContent =>
    checkAndFreezePart({ type: 'opaque', dialect: NAME, value: wire }, path)
  if (!isObject(wire)) return keepUnchanged()
  const item = wire
  const own = readOwnProviderMetadata(item['providerOptions'])
  const part = item['type'] === 'text' ? readTextItem(item, own) : readMediaItem(item, own)
  if (part === undefined) return keepUnchanged()
  const hints = item['providerReference'] === undefined ? {} : { reference: true }
  return attachResidue(checkAndFreezePart(part, path), MODEL_SLOT, hints, item, (unit) =>
    writeItem(unit, undefined, silentReporter),
  )
}

function readTextItem({ text: given }: JsonObject, own: JsonObject): ToolResultContent {
  const value = own['json'] === true && typeof given === 'string' ? tryParseJson(given) : undefined
  return value === undefined ? ({ type: 'text', text: given as string } as const) : json(value)
}

function readMediaItem(item: JsonObject, own: JsonObject): MediaPart | undefined {
  if (!MEDIA_ITEMS.has(item['type'])) return undefined
  const { data, url, fileId, providerReference, mediaType, filename } = item
  const type = MEDIA_ITEMS.get(item['type'])
  const source =
    typeof fileId === 'string' && fileId !== ''
      ? ({ kind: 'id', id: fileId, provider: 'openai' } as const)
      : (readReference(fileId ?? providerReference) ??
        (typeof url === 'string' ? readSource(url, mediaType) : readFileData(data, mediaType)))
  if (source === undefined) return undefined
  return buildMedia(
    source,
    mediaType ?? own['itemType'],
    filename,
    type === undefined ? own : { type, ...own },
  )
}

/** Writes a tool result. The name of the tool is that of the result, or of its call. */
export function writeToolResult(
  result: ToolResultPart,
  callName: string | undefined,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  const { output, own } = writeOutput(result, path, report)
  const providerOptions = buildPartMetadata(result, path, report, own)
  const wire = {
    type: 'tool-result',
    toolCallId: result.callId,
    toolName: result.name ?? callName ?? result.callId,
    output,
    ...(providerOptions && { providerOptions }),
  }
  return applyResidue(wire, result, MODEL_SLOT)
}

function writeOutput(
  result: ToolResultPart,
  path: Path | undefined,
  report: FormatReporter,
): { readonly output: JsonObject; readonly own?: JsonObject } {
  const { content, isError } = result
  const [only] = content
  if (content.length === 1 && only?.type === 'text' && only.citations === undefined && isBare(only))
    return { output: { type: isError ? 'error-text' : 'text', value: only.text } }
  if (content.length === 1 && only?.type === 'json' && isBare(only))
    return { output: { type: isError ? 'error-json' : 'json', value: only.value } }
  if (isError) {
    const { parts } = toPlainContent(result, path, report)
    return { output: { type: 'error-json', value: parts }, own: { content: true } }
  }
  const value = content.flatMap(
    (part, index) => writeItem(part, child(child(path, 'content'), index), report) ?? [],
  )
  return { output: { type: 'content', value } }
}

/** Returns true for content that was not read from a list of items. */
function isBare({ extra }: ToolResultContent): boolean {
  return extra === undefined || !Object.hasOwn(extra, MODEL_SLOT)
}

function writeItem(
  part: ToolResultContent,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return patch({ type: 'text', text: part.text }, part)
    case 'json':
      return patch({ type: 'text', text: JSON.stringify(part.value) }, part, { json: true })
    case 'opaque':
      return writeOpaquePart(part, NAME, path, report)
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return patch(...writeMediaItem(part, path, report))
  }
}

function patch(wire: JsonObject, part: ToolResultContent, own: JsonObject = {}): JsonObject {
  const item = isEmptyObject(own) ? wire : { ...wire, providerOptions: { interlingua: own } }
  return applyResidue(item, part, MODEL_SLOT)
}

/** Writes a file that a provider stores; later versions call its id a reference. */
function writeFileId(part: MediaPart, { provider, id }: IdSource): JsonObject {
  const [prefix, ids] = [part.type === 'image' ? 'image-' : '', { [provider]: id }]
  return getHints(part, MODEL_SLOT).reference === true
    ? { type: `${prefix}file-reference`, providerReference: ids }
    : { type: `${prefix}file-id`, fileId: ids }
}

/** Returns the item of media, and the fields that the item lacks. */
function writeMediaItem(
  part: MediaPart,
  path: Path | undefined,
  report: FormatReporter,
): [item: JsonObject, part: MediaPart, own: JsonObject] {
  const { source, name, type } = part
  const family = type === 'image' ? 'image' : 'file'
  const details = writeMediaDetails(part)
  if (source.kind === 'url' || source.kind === 'id') {
    const item =
      source.kind === 'url' ? { type: `${family}-url`, url: source.url } : writeFileId(part, source)
    const itemType = mediaTypeOf(part) ?? (type === 'audio' || type === 'video' ? type : undefined)
    return [item, part, omitUndefined({ ...details, name, itemType })]
  }
  const mediaType = writeMediaType(part, child(path, 'mediaType'), report)
  const item = { type: `${family}-data`, data: writeFileData(source), mediaType }
  if (family === 'image') return [item, part, omitUndefined({ ...details, name })]
  return [{ ...item, ...(name !== undefined && { filename: name }) }, part, details]
}
