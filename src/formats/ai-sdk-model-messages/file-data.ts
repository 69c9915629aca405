import type { MediaSource } from '../../canonical/model/part.ts'
import { toBase64 } from '../../wire/base64.ts'
import type { Json } from '../../wire/json.ts'

/**
 * Returns the data of a file: a URL or base64, which versions 5 to 7 accept, or the id of a stored file, which only version
 * 7 accepts.
 */
export function writeFileData(source: MediaSource): Json {
  switch (source.kind) {
    case 'url':
      return source.url
    case 'base64':
      return source.data
    case 'text':
      return toBase64(new TextEncoder().encode(source.text))
    case 'id':
      return { [source.provider]: source.id }
  }
}
