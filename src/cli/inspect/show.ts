import type { Message } from '../../canonical/model/message.ts'
import type { MediaSource, Part, ToolResultPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { describeCall, textOf } from '../../canonical/read/text.ts'
import { oneLine, type Paint, printable } from '../paint.ts'

const INDENT = ' '.repeat(16)

const COLOURS = {
  system: 'magenta',
  developer: 'magenta',
  user: 'green',
  assistant: 'cyan',
  tool: 'yellow',
} as const

/** A message as people read it: who speaks, then every part in its order. */
export function messageLines(message: Message, number: number, paint: Paint): readonly string[] {
  const label = `${String(number).padStart(3)} ${message.role.padEnd(10)}`
  const lines = message.content.flatMap((part: Part) => partLines(part, paint))
  const [first = paint('dim', '(nothing)'), ...rest] = lines
  return [`${paint(COLOURS[message.role], label)}  ${first}`, ...rest.map((line) => INDENT + line)]
}

/** A part, a line or several. */
export function partLines(part: Part, paint: Paint): readonly string[] {
  switch (part.type) {
    case 'text':
      return printable(part.text).split('\n')
    case 'reasoning':
      return [paint('dim', `~ ${part.redacted === true ? '(redacted)' : oneLine(part.text, 200)}`)]
    case 'tool-call':
      return [`→ ${oneLine(describeCall(part), 200)} ${paint('dim', printable(part.id))}`]
    case 'tool-result':
      return [resultLine(part, paint)]
    case 'refusal':
      return [paint('red', `refuses: ${oneLine(part.text, 200)}`)]
    case 'json':
      return [oneLine(JSON.stringify(part.value), 200)]
    case 'opaque':
      return [paint('dim', `[a block that only ${oneLine(part.dialect, 40)} knows]`)]
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return [paint('dim', `[${part.type}: ${sourceOf(part.source)}]`)]
  }
}

function resultLine(part: ToolResultPart, paint: Paint): string {
  const failed = part.isError === true ? paint('red', 'failed: ') : ''
  return `← ${failed}${oneLine(textOf(part, ' '), 200)} ${paint('dim', printable(part.callId))}`
}

function sourceOf(source: MediaSource): string {
  switch (source.kind) {
    case 'url':
      return oneLine(source.url.startsWith('data:') ? 'a data URL' : source.url, 80)
    case 'base64':
      return `${oneLine(source.mediaType, 40)}, ${Math.floor((source.data.length * 3) / 4)} bytes`
    case 'id':
      return oneLine(`${source.id} at ${source.provider}`, 80)
    case 'text':
      return `${source.text.length} characters`
  }
}

/** Token counts in words. */
export function usageLine({ inputTokens, outputTokens, cachedInputTokens, reasoningTokens }: Usage): string {
  const cached = cachedInputTokens === undefined ? '' : ` (${cachedInputTokens} cached)`
  const thought = reasoningTokens === undefined ? '' : ` (${reasoningTokens} reasoning)`
  return `${inputTokens} tokens in${cached}, ${outputTokens} out${thought}`
}
