import { STORED_VERSION, toJson } from '../../canonical/stored/stored-form.ts'
import { omitUndefined } from '../../wire/json.ts'
import { withTypedErrors } from '../../wire/internal-error.ts'
import { MAIN_SECTION, type TranscriptSession } from './transcript.ts'

/** Options of {@link toSessionLines}. */
export interface SessionLinesOptions {
  /** The title of the session. Default: that of the transcript, or its first prompt. */
  readonly title?: string
  /** The format of the transcript, which is noted in the parameters of the session. */
  readonly format?: string
  /** Returns the milliseconds since 1970, for sessions without a time. Default: `Date.now`. */
  readonly now?: () => number
}

/** The longest title that every storage accepts. */
const MAX_TITLE_LENGTH = 256

/**
 * Writes a session in the form that `importSession` of the storages reads: all branches, and sub-agents as sections. The records
 * that are no messages are not included.
 *
 * @example
 * for (const session of fromTranscript(text).sessions) await storage.importSession(toSessionLines(session))
 */
export function* toSessionLines(
  session: TranscriptSession,
  options: SessionLinesOptions = {},
): Generator<string, void, undefined> {
  const { id, workingDirectory, parentSession, metadata, sections } = session
  const now = new Date((options.now ?? Date.now)()).toISOString()
  const { createdAt = now, updatedAt = createdAt } = session
  const transcript = {
    ...omitUndefined({ format: options.format, id, workingDirectory, parentSession }),
    ...metadata,
  }
  yield JSON.stringify({
    interlingua: STORED_VERSION,
    session: {
      id,
      title: toStorableTitle(options.title ?? session.title ?? findFirstPrompt(session)),
      labels: [],
      parameters: { transcript },
      createdAt,
      updatedAt,
    },
    sections: sections.map(({ name, head }) => ({ name, ...omitUndefined({ head }) })),
  })
  for (const { name, messages } of sections)
    for (const message of messages)
      yield JSON.stringify({ ...withTypedErrors(() => toJson(message)), section: name })
}

function findFirstPrompt({ sections }: TranscriptSession): string {
  const main = sections.find(({ name }) => name === MAIN_SECTION)
  for (const { role, content } of main?.messages ?? [])
    if (role === 'user') for (const part of content) if (part.type === 'text') return part.text
  return ''
}

/** Returns the first line of a text, without what a storage cannot store. */
function toStorableTitle(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  return line.slice(0, MAX_TITLE_LENGTH).replaceAll(/\p{Cs}|\0/gu, '\ufffd')
}
