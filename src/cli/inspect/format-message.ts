import type { Message } from '../../canonical/model/message.ts'
import type { MediaSource, Part, ToolResultPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { describeCall, textOf } from '../../canonical/read/message-content.ts'
import { truncateToLine, type Colorizer, escapeControlCharacters } from '../terminal-text.ts'

const INDENT = ' '.repeat(16)

const ROLE_COLORS = {
  system: 'magenta',
  developer: 'magenta',
  user: 'green',
  assistant: 'cyan',
  tool: 'yellow',
} as const

/** Formats a message: its number and role, then its parts in order. */
export function formatMessage(message: Message, number: number, paint: Colorizer): readonly string[] {
  const label = `${String(number).padStart(3)} ${message.role.padEnd(10)}`
  const lines = message.content.flatMap((part: Part) => formatPart(part, paint))
  const [first = paint('dim', '(empty)'), ...rest] = lines
  return [`${paint(ROLE_COLORS[message.role], label)}  ${first}`, ...rest.map((line) => INDENT + line)]
}

/** Formats a content part as one or more lines. */
export function formatPart(part: Part, paint: Colorizer): readonly string[] {
  if ('source' in part) return [paint('dim', `[${part.type}: ${formatMediaSource(part.source)}]`)]
  switch (part.type) {
    case 'text':
      return escapeControlCharacters(part.text).split('\n')
    case 'reasoning':
      return [paint('dim', `~ ${part.redacted === true ? '(redacted)' : truncateToLine(part.text, 200)}`)]
    case 'tool-call':
      return [
        `→ ${truncateToLine(describeCall(part), 200)} ${paint('dim', escapeControlCharacters(part.id))}`,
      ]
    case 'tool-result':
      return [formatResult(part, paint)]
    case 'refusal':
      return [paint('red', `refusal: ${truncateToLine(part.text, 200)}`)]
    case 'json':
      return [truncateToLine(JSON.stringify(part.value), 200)]
    case 'opaque':
      return [paint('dim', `[${truncateToLine(part.dialect, 40)}-specific content]`)]
  }
}

function formatResult(part: ToolResultPart, paint: Colorizer): string {
  const failedLabel = part.isError === true ? paint('red', 'failed: ') : ''
  return `← ${failedLabel}${truncateToLine(textOf(part, ' '), 200)} ${paint('dim', escapeControlCharacters(part.callId))}`
}

function formatMediaSource(source: MediaSource): string {
  switch (source.kind) {
    case 'url':
      return truncateToLine(source.url.startsWith('data:') ? 'a data URL' : source.url, 80)
    case 'base64':
      return `${truncateToLine(source.mediaType, 40)}, ${Math.floor((source.data.length * 3) / 4)} bytes`
    case 'id':
      return truncateToLine(`${source.id} at ${source.provider}`, 80)
    case 'text':
      return `${source.text.length} characters`
  }
}

export function formatUsage(usage: Usage): string {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage
  const cached = cachedInputTokens === undefined ? '' : ` (${cachedInputTokens} cached)`
  const reasoning = reasoningTokens === undefined ? '' : ` (${reasoningTokens} reasoning)`
  return `${inputTokens} input tokens${cached}, ${outputTokens} output tokens${reasoning}`
}
