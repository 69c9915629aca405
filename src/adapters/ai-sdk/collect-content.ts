import type { LanguageModelV3Content, LanguageModelV3StreamPart } from '@ai-sdk/provider'

type TextContent = Extract<LanguageModelV3Content, { readonly type: 'text' | 'reasoning' }>

/** Joins the parts of a stream to the content of a complete response, so that both are the same. */
export function collectContent(parts: Iterable<LanguageModelV3StreamPart>): LanguageModelV3Content[] {
  const content: LanguageModelV3Content[] = []
  const texts = new Map<string, { readonly part: TextContent; readonly pieces: string[] }>()
  for (const part of parts) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const open: TextContent = { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '' }
        content.push(open)
        texts.set(part.id, { part: open, pieces: [] })
        break
      }
      case 'text-delta':
      case 'reasoning-delta':
        texts.get(part.id)?.pieces.push(part.delta)
        break
      case 'text-end':
      case 'reasoning-end': {
        const open = texts.get(part.id)
        if (open === undefined) break
        open.part.text = open.pieces.join('')
        if (part.providerMetadata !== undefined) open.part.providerMetadata = part.providerMetadata
        break
      }
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
      case 'file':
      case 'source':
        content.push(part)
        break
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
      case 'stream-start':
      case 'response-metadata':
      case 'finish':
      case 'raw':
      case 'error':
        break
    }
  }
  return content
}
