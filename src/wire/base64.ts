/**
 * Bytes in memory of their own, as `fetch` and `crypto.subtle` take them: `Uint8Array<ArrayBuffer>`, written so that
 * TypeScript before 5.7, in which the type has no parameter, compiles it, too.
 */
export type OwnedBytes = ReturnType<typeof Uint8Array.of>

/** Encodes bytes as base64, in pieces that stay below the engines' argument limits. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000))
  }
  return btoa(binary)
}

/** Encodes bytes as base64 with the URL-safe alphabet and without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Decodes base64 to bytes; undefined if the text is not base64. Line breaks and the URL-safe alphabet are accepted. */
export function fromBase64(text: string): OwnedBytes | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = new Uint8Array(binary.length)
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
    return bytes
  } catch {
    return undefined
  }
}

const BASE64_DATA_URL_HEAD = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+);base64,/i

/** The content of a data URL, in base64. */
export interface DataUrlContent {
  readonly mediaType: string
  readonly data: string
}

/** Splits a `data:TYPE;base64,` URL; undefined for one with parameters or another encoding, which stays a URL. */
export function parseBase64DataUrl(url: string): DataUrlContent | undefined {
  const head = BASE64_DATA_URL_HEAD.exec(url.slice(0, 256))
  return head?.[1] === undefined ? undefined : { mediaType: head[1], data: url.slice(head[0].length) }
}

/** Builds the data URL of base64 text. */
export function toDataUrl({ mediaType, data }: DataUrlContent): string {
  return `data:${mediaType};base64,${data}`
}

const DATA_URL_HEAD = /^data:([^,;]*)([^,]*),/i

/**
 * Decodes a `data:` URL of any form, ignoring its parameters; undefined if it is not a valid data URL.
 *
 * @example
 * decodeDataUrl('data:text/plain;charset=utf-8,a%20b') // { mediaType: 'text/plain', data: 'YSBi' }
 */
export function decodeDataUrl(url: string): DataUrlContent | undefined {
  const [head, type, parameters = ''] = DATA_URL_HEAD.exec(url.slice(0, 1024)) ?? []
  if (head === undefined) return undefined
  const mediaType = type === '' || type === undefined ? 'text/plain' : type.toLowerCase()
  const body = url.slice(head.length)
  if (/;\s*base64$/i.test(parameters)) return { mediaType, data: body }
  try {
    return { mediaType, data: toBase64(new TextEncoder().encode(decodeURIComponent(body))) }
  } catch {
    return undefined
  }
}
