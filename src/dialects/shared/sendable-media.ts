import { inlineDataUrl } from '../../canonical/build/media.ts'
import type { MediaPart } from '../../canonical/model/part.ts'

/** Returns true for an address that providers download: they accept no other schemes, such as `gs:` and `file:`. */
export function isWebAddress(url: string): boolean {
  return /^https?:/i.test(url)
}

/** Returns true for media that contain data. Providers reject empty images, files and addresses. */
export function hasMediaData({ source }: MediaPart): boolean {
  if (source.kind === 'base64') return source.data !== ''
  if (source.kind === 'text') return source.text !== ''
  return source.kind !== 'url' || source.url !== ''
}

/** Returns true for media that contain data or have an address on the web. */
export function isSendableMedia(part: MediaPart): boolean {
  const { source } = inlineDataUrl(part)
  return hasMediaData({ ...part, source }) && (source.kind !== 'url' || isWebAddress(source.url))
}
