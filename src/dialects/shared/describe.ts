import { mediaTypeOf } from '../../canonical/build/media.ts'
import { argumentsText } from '../../canonical/build/arguments.ts'
import type {
  MediaPart,
  ToolCallPart,
  ToolResultContent,
  ToolResultPart,
} from '../../canonical/model/part.ts'
import { textOf } from '../../canonical/read/text.ts'
import { isList, isObject, type Json } from '../../wire/json.ts'
import type { Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'

/** Media in words, for a target that cannot hold it: what it is, its name, and where it is or what it says. */
function describeMedia(part: MediaPart): string {
  const { source } = part
  // A URL that holds the bytes says nothing that can be read.
  const link = source.kind === 'url' && !/^data:/i.test(source.url) ? source.url : ''
  const where =
    source.kind === 'url' ? link : source.kind === 'id' ? `${source.provider} file ${source.id}` : ''
  const words = [part.name, mediaTypeOf(part), where, part.transcript].filter(
    (word) => word !== undefined && word !== '',
  )
  const said = source.kind === 'text' ? `\n${source.text}` : ''
  return `[${[part.type, ...words].join(', ')}]${said}`
}

/** The words for media that the target cannot hold; undefined where they are to be dropped. Either is reported. */
export function mediaInWords(part: MediaPart, at: Path | undefined, encoding: Encoding): string | undefined {
  if (encoding.options.unsupported === 'drop') {
    encoding.lose('dropped-media', at)
    return undefined
  }
  encoding.lose(part.source.kind === 'id' ? 'foreign-file' : 'unsupported-media', at)
  return describeMedia(part)
}

/** A call that a provider ran itself, in words. */
export function describeProviderCall(call: ToolCallPart): string {
  return `[${call.name} ran with ${argumentsText(call)}]`
}

/** What a tool gave, in words. */
export function describeResult(result: ToolResultPart): string {
  return `[${result.name ?? 'result'}: ${textOf(result, '\n')}]`
}

/** What a provider's own tool gave, in words: what only that provider can read is of no use to others. */
export function describeProviderResult(result: ToolResultPart): string {
  return describeResult({ ...result, content: result.content.map(legible) })
}

function legible(part: ToolResultContent): ToolResultContent {
  return part.type === 'json' ? { ...part, value: withoutCiphers(part.value) } : part
}

/** The keys of what a server sealed for itself. */
const sealed = /^encrypted[A-Z_]/

function withoutCiphers(value: Json): Json {
  if (isList(value)) return value.map(withoutCiphers)
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([key]) => !sealed.test(key))
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutCiphers(each)]))
}
