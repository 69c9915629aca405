import type {
  Transcript,
  TranscriptSection,
  TranscriptSession,
} from '../../formats/transcripts/transcript.ts'
import { omitUndefined } from '../../wire/json.ts'
import { describeIssues } from '../input/transcripts.ts'
import { escapeControlCharacters, truncateToLine } from '../terminal-text.ts'

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
