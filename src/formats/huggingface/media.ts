import { toUrlOrBase64Source } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { applyResidue, attachResidue, getHints, withHints } from '../../dialects/engine/residue-slots.ts'
import { toDataUrl } from '../../wire/base64.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { getOwnValue, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { toMediaContent } from '../engine/media-content.ts'
import { HUGGINGFACE_SLOT, SOURCE_KEYS } from './constants.ts'

/** The images of a row, which the blocks `{ type: 'image' }` of its messages stand for, in their order. */
export class ImageColumn {
  readonly #images: readonly Json[]
  #position = 0

  constructor(images: readonly Json[]) {
    this.#images = images
  }

  /** Returns the source of the next image; undefined if it is absent or has no source. */
  take(): MediaSource | undefined {
    const image = this.#images[this.#position]
    this.#position += 1
    return readImageValue(image)
  }

  /** Returns all images if no block stands for one: they belong to the first message of the user. */
  takeUnplaced(): readonly MediaPart[] {
    const sources = this.#images.map(readImageValue)
    if (this.#position > 0 || sources.includes(undefined)) return []
    this.#position = sources.length
    return sources.map((source, index) => {
      const part: MediaPart = { type: 'image', source: source as MediaSource }
      const isBytes = isObject(this.#images[index])
      return freezeOwned(
        withHints(part, HUGGINGFACE_SLOT, { unplaced: true, ...(isBytes && { bytes: true }) }),
      )
    })
  }

  /** Returns true if the last image that was taken is an object with bytes. */
  isBytes(): boolean {
    return isObject(this.#images[this.#position - 1])
  }
}

/** Returns the column of a row that contains its images: a list, or one image. */
export function getImageKey(row: JsonObject): 'images' | 'image' | undefined {
  if (Array.isArray(getOwnValue(row, 'images'))) return 'images'
  return readImageValue(getOwnValue(row, 'image') as Json | undefined) === undefined ? undefined : 'image'
}

/** Returns the images of a row. */
export function listImages(row: JsonObject): readonly Json[] {
  const key = getImageKey(row)
  if (key === undefined) return []
  return key === 'image' ? [row[key] ?? null] : itemsOf(row[key])
}

/** Returns true for a block that stands for an image of the column. */
export function isImagePlace(block: Json): boolean {
  return isObject(block) && block['type'] === 'image' && findSourceKey(block) === undefined
}

const findSourceKey = (block: JsonObject): string | undefined =>
  SOURCE_KEYS.find((key) => typeof getOwnValue(block, key) === 'string')

/** Reads an image of a column: a URL, a path or base64, or an object with `bytes`, as the files of datasets store it. */
function readImageValue(image: Json | undefined): MediaSource | undefined {
  const bytes = isObject(image) ? getOwnValue(image, 'bytes') : image
  if (typeof bytes !== 'string' || bytes === '') return undefined
  const source = toUrlOrBase64Source(bytes)
  return isObject(image) && source.kind !== 'base64' ? undefined : source
}

const MEDIA_TYPES: readonly string[] = ['image', 'audio', 'video'] satisfies readonly MediaPart['type'][]

/** Reads a block of media whose source is in the block or in the column; undefined for any other block. */
export function readMediaBlock(block: JsonObject, path: Path, images: ImageColumn): MediaPart | undefined {
  const { type } = block
  if (typeof type !== 'string' || !MEDIA_TYPES.includes(type)) return undefined
  const key = findSourceKey(block)
  const isPlaced = key === undefined && type === 'image'
  const source = isPlaced
    ? images.take()
    : key === undefined
      ? undefined
      : toUrlOrBase64Source(block[key] as string)
  if (source === undefined || (source.kind === 'url' && source.url === '')) return undefined
  const hints = { ...(key !== undefined && { key }), ...(isPlaced && images.isBytes() && { bytes: true }) }
  const part = checkAndFreezePart({ type, source } as MediaPart, path)
  return attachResidue(part, HUGGINGFACE_SLOT, hints, block, (unit) =>
    writeMediaBlock(unit, undefined, silentReporter, { images: [] }),
  )
}

/** Collects the images that are written to the column of a row. */
export interface ImageCollector {
  readonly images: Json[]
}

/** Writes media as a block; an image is written to the column, unless it was read from a block. */
export function writeMediaBlock(
  part: MediaPart,
  path: Path | undefined,
  report: FormatReporter,
  { images }: ImageCollector,
): JsonObject | undefined {
  const { type, source, name, detail } = part
  if (type === 'file' || source.kind === 'id') {
    report.add('dropped-media', path)
    return undefined
  }
  if (name !== undefined) report.add('media-detail', child(path, 'name'))
  if (detail !== undefined) report.add('media-detail', child(path, 'detail'))
  if (source.kind === 'url' && part.mediaType !== undefined)
    report.add('media-type', child(path, 'mediaType'))
  const { kind, content, mediaType = '' } = toMediaContent(part, path, report)
  const url = kind === 'base64' ? toDataUrl({ data: content, mediaType }) : content
  const { key, unplaced, bytes } = getHints(part, HUGGINGFACE_SLOT)
  if (type === 'image' && key === undefined)
    images.push(bytes === true && kind === 'base64' ? { bytes: content, path: null } : url)
  if (unplaced === true) return undefined
  const place = typeof key === 'string' ? { [key]: url } : type === 'image' ? {} : { url }
  return applyResidue({ type, ...place }, part, HUGGINGFACE_SLOT)
}
