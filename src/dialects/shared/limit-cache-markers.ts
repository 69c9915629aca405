import type { Message } from '../../canonical/model/message.ts'
import type { CacheHint, Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { MESSAGES_PATH } from '../engine/conversation-encoder.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { countCacheHints } from '../engine/prompt-cache-marking.ts'

interface Cacheable {
  readonly cache?: CacheHint
}

/** Removes cache hints above the limit. The last ones are kept, since they cover the longest prefix. */
export function limitCacheMarkers(request: ChatRequest, limit: number, context: EncodeContext): ChatRequest {
  let excess = countCacheHints(request) - limit
  if (excess <= 0) return request
  const strip = <T extends Cacheable>(unit: T, path: Path): T => {
    if (unit.cache === undefined || excess <= 0) return unit
    excess -= 1
    context.report('cache-limit', child(path, 'cache'))
    const { cache: _cache, ...rest } = unit
    return rest as T
  }
  const stripContent = <T extends { readonly content: readonly Part[] }>(unit: T, path: Path): T => {
    const contentPath = child(path, 'content')
    const content = unit.content.map((part, index) => {
      const partPath = child(contentPath, index)
      return strip(part.type === 'tool-result' ? stripContent(part, partPath) : part, partPath)
    })
    return { ...unit, content }
  }
  const toolsPath = child(undefined, 'tools')
  const tools = request.tools?.map((tool, index) => strip<Tool & Cacheable>(tool, child(toolsPath, index)))
  const messages = [...request.messages].map((message, index) =>
    excess <= 0 ? message : stripContent<Message>(message, child(MESSAGES_PATH, index)),
  )
  return { ...request, ...(tools !== undefined && { tools }), messages }
}
