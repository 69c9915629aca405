import type {
  Transcript,
  TranscriptSection,
  TranscriptSession,
} from '../../formats/transcripts/transcript.ts'
import { omitUndefined } from '../../wire/json.ts'
import { describeIssues } from '../input/transcripts.ts'
import { type Colorizer, escapeControlCharacters, truncateToLine } from '../terminal-text.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { MediaSource, Part, ToolResultPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { describeCall, textOf } from '../../canonical/read/message-content.ts'

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

/** Describes a transcript for people: its sessions, branches, sub-agents, and what else the files contain. */
export function formatTranscriptForTerminal(transcript: Transcript): readonly string[] {
  return [
    ...transcript.sessions.flatMap((session) => formatSession(session)),
    ...describeIssues(transcript).map((issue) => `issue: ${escapeControlCharacters(issue)}`),
  ]
}

function formatSession({
  id,
  title,
  workingDirectory,
  sections,
  records,
}: TranscriptSession): readonly string[] {
  const [main, ...agents] = sections
  const name = title === undefined ? '' : ` ${truncateToLine(title, 80)}`
  return [
    `session: ${escapeControlCharacters(id)}${name}`,
    ...(workingDirectory === undefined ? [] : [`folder: ${escapeControlCharacters(workingDirectory)}`]),
    `branches: ${main === undefined ? 0 : countBranches(main)}`,
    ...agents.map(
      ({ name: agent, messages }) =>
        `sub-agent: ${escapeControlCharacters(agent)}, ${messages.length} messages`,
    ),
    ...(records.length === 0
      ? []
      : [`other records: ${formatTypes(records.map(({ record }) => record['type']))}`]),
  ]
}

/** Returns the number of messages that no other message follows. */
function countBranches({ messages }: TranscriptSection): number {
  const parents = new Set(messages.map(({ parentId }) => parentId))
  return messages.filter(({ id }) => !parents.has(id)).length
}

function formatTypes(types: readonly unknown[]): string {
  const counts = new Map<string, number>()
  for (const type of types) {
    const name = typeof type === 'string' ? truncateToLine(type, 40) : 'without a type'
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => `${name} (${count})`).join(', ')
}

/** Describes a transcript for programs. */
export function describeTranscript({ sessions, issues }: Transcript): object {
  return {
    sessions: sessions.map(
      ({ id, title, workingDirectory, createdAt, updatedAt, usage, sections, records }) => ({
        id,
        ...omitUndefined({ title, workingDirectory, createdAt, updatedAt, usage }),
        sections: sections.map((section) => ({
          name: section.name,
          messageCount: section.messages.length,
          branchCount: countBranches(section),
        })),
        recordCount: records.length,
      }),
    ),
    issues,
  }
}
