import type { Base64Source, IdSource, MediaPart, UrlSource } from '../../canonical/model/part.ts'
import { InterlinguaError } from '../../errors.ts'
import { toBase64 } from '../../wire/base64.ts'
import { readBytes } from '../../wire/bytes.ts'
import { isListedType, sniffMediaType } from '../../wire/media-type.ts'
import { throwIfAborted } from '../../wire/abort.ts'
import type { MediaOptions, Unresolved } from '../media.ts'

/** A source in place of another, or why there is none. */
export type Outcome =
  | { readonly source: Base64Source | IdSource; readonly mediaType: string }
  | Omit<Unresolved, 'path'>

const MOST_BYTES = 20 * 1024 * 1024

/** Fetches and lays down the sources of one request. The same file may stand in many places: it is handled once. */
export class Sources {
  readonly #options: MediaOptions
  readonly #fetched = new Map<string, Promise<Outcome>>()
  readonly #uploaded = new Map<string, Promise<Outcome>>()

  constructor(options: MediaOptions) {
    this.#options = options
  }

  /** What to put in place of a part's source; undefined where it is fine as it is. */
  async for(part: MediaPart): Promise<Outcome | undefined> {
    const { source, type } = part
    const { upload } = this.#options
    if (source.kind === 'url') {
      const found = await once(this.#fetched, `${type} ${source.url}`, () => this.#fetch(source, type))
      return 'source' in found && found.source.kind === 'base64' && upload !== undefined
        ? this.#upload(found.source, part)
        : found
    }
    return source.kind === 'base64' && upload !== undefined ? this.#upload(source, part) : undefined
  }

  async #fetch({ url }: UrlSource, type: MediaPart['type']): Promise<Outcome> {
    const { fetch, signal, maxBytes = MOST_BYTES } = this.#options
    if (fetch === undefined) return { reason: 'no-fetch' }
    if (!URL.canParse(url) || !this.#isAllowed(new URL(url))) return { reason: 'not-allowed' }
    try {
      const response = await fetch(new URL(url).href, {
        ...(signal && { signal }),
        redirect: 'error',
        allow: (hop) => this.#isAllowed(hop),
      })
      if (!response.ok) return { reason: 'failed', error: badStatus(response.status) }
      const bytes = response.body === null ? new Uint8Array() : await readBytes(response.body, maxBytes)
      if (bytes === undefined) return { reason: 'too-large' }
      const mediaType = sniffMediaType(bytes) ?? essenceOf(response.headers.get('content-type'))
      if (!this.#isAccepted(mediaType, type)) return { reason: 'wrong-type' }
      return { source: { kind: 'base64', data: toBase64(bytes), mediaType }, mediaType }
    } catch (error) {
      return this.#failed(error)
    }
  }

  #upload(source: Base64Source, { type, name }: MediaPart): Promise<Outcome> {
    const { data, mediaType } = source
    return once(this.#uploaded, `${mediaType} ${name ?? ''} ${data}`, async () => {
      const { upload, maxBytes = MOST_BYTES } = this.#options
      if ((data.length * 3) / 4 > maxBytes + 2) return { reason: 'too-large' }
      if (!this.#isAccepted(mediaType, type)) return { reason: 'wrong-type' }
      try {
        const laid = await upload?.({ type, data, mediaType, ...(name !== undefined && { name }) })
        return laid === undefined
          ? { reason: 'failed' }
          : { source: { kind: 'id', id: laid.id, provider: laid.provider }, mediaType }
      } catch (error) {
        return this.#failed(error)
      }
    })
  }

  /** The web's own reading of a host is compared: lower case, without tricks of spelling. */
  #isAllowed({ protocol, hostname }: URL): boolean {
    if (protocol !== 'https:' && protocol !== 'http:') return false
    return (this.#options.allow ?? []).some((each) =>
      each.startsWith('*.')
        ? hostname.endsWith(each.slice(1).toLowerCase())
        : hostname === each.toLowerCase(),
    )
  }

  #isAccepted(mediaType: string, type: MediaPart['type']): boolean {
    const { mediaTypes } = this.#options
    if (mediaTypes !== undefined) return isListedType(mediaType, mediaTypes)
    return mediaType !== '' && (type === 'file' || isListedType(mediaType, [`${type}/*`]))
  }

  #failed(error: unknown): Outcome {
    throwIfAborted(this.#options.signal)
    return { reason: 'failed', ...(error instanceof Error && { error }) }
  }
}

function once(
  known: Map<string, Promise<Outcome>>,
  key: string,
  make: () => Promise<Outcome>,
): Promise<Outcome> {
  const made = known.get(key) ?? make()
  known.set(key, made)
  return made
}

function essenceOf(type: string | null): string {
  return type?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function badStatus(status: number): InterlinguaError {
  return new InterlinguaError('fetch-failed', `The host answered with status ${status}`, {
    retryable: status >= 500,
  })
}
