import { audio, file, image, json, text, video } from '../../canonical/build/parts.ts'
import type { ToolResultContent } from '../../canonical/model/part.ts'
import { isObject, type Json } from '../../wire/json.ts'

/** What a server gave, as parts; what it holds is from outside, so every field is looked at. */
export function partsOf(result: unknown): readonly ToolResultContent[] {
  if (!isObject(result)) return [json((result ?? null) as Json)]
  const { content, structuredContent = result['toolResult'] } = result
  if (Array.isArray(content) && content.length > 0) return content.map(partOf)
  return structuredContent === undefined ? [] : [json(structuredContent as Json)]
}

function partOf(block: unknown): ToolResultContent {
  if (!isObject(block)) return json((block ?? null) as Json)
  const { type, text: words, data, mimeType, resource } = block
  if (type === 'text' && typeof words === 'string') return text(words)
  if ((type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string') {
    return (type === 'image' ? image : audio)({ data, mediaType: mimeType })
  }
  if (type === 'resource' && isObject(resource)) return resourceOf(resource)
  // Links are told and not followed: what to fetch is for the application to decide.
  return json(block as Json)
}

const BUILDERS = { image, audio, video } as const

/** A resource that came along: its text, or its bytes by what they are. */
function resourceOf(resource: { readonly [key: string]: unknown }): ToolResultContent {
  const { uri, mimeType, text: words, blob } = resource
  const name = typeof uri === 'string' ? { name: uri } : {}
  const mediaType = typeof mimeType === 'string' ? mimeType : undefined
  if (typeof words === 'string') return file({ text: words }, { ...name, ...(mediaType && { mediaType }) })
  if (typeof blob !== 'string') return json(resource as Json)
  const [kind = ''] = (mediaType ?? '').split('/')
  const build = Object.hasOwn(BUILDERS, kind) ? BUILDERS[kind as keyof typeof BUILDERS] : file
  return build({ data: blob, mediaType: mediaType ?? 'application/octet-stream' }, name)
}
