import type { MediaPart } from '../../canonical/model/part.ts'
import { resolveDataUrl } from '../../wire/base64.ts'

/** Media whose URL holds the bytes, as bytes, for formats that fetch URLs: a `data:` URL is none to be fetched. */
export function inlined<T extends MediaPart>(part: T): T {
  const data = part.source.kind === 'url' ? resolveDataUrl(part.source.url) : undefined
  return data === undefined ? part : { ...part, source: { kind: 'base64', ...data } }
}
