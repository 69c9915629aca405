import { mediaTypeOf } from '../../canonical/build/media.ts'
import { argumentsText } from '../../canonical/build/arguments.ts'
import type { MediaPart, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { textOf } from '../../canonical/read/text.ts'

/** Media in words, for a target that cannot hold it: what it is, its name, and where it is or what it says. */
export function describeMedia(part: MediaPart): string {
  const { source } = part
  const where =
    source.kind === 'url' ? source.url : source.kind === 'id' ? `${source.provider} file ${source.id}` : ''
  const words = [part.name, mediaTypeOf(part), where, part.transcript].filter(
    (word) => word !== undefined && word !== '',
  )
  const said = source.kind === 'text' ? `\n${source.text}` : ''
  return `[${[part.type, ...words].join(', ')}]${said}`
}

/** A call that a provider ran itself, in words. */
export function describeProviderCall(call: ToolCallPart): string {
  return `[${call.name} ran with ${argumentsText(call)}]`
}

/** What a provider's own tool gave, in words. */
export function describeProviderResult(result: ToolResultPart): string {
  return `[${result.name ?? 'result'}: ${textOf(result, '\n')}]`
}
