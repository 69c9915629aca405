import { createTimestamp, generateId, type IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import type { Message } from '../canonical/model/message.ts'
import { STORED_VERSION, toJson } from '../canonical/stored/stored-form.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { type JsonObject, omitUndefined } from '../wire/json.ts'
import type { ImportedConversation } from './engine/conversation-format.ts'
import { withParent } from './engine/message-tree.ts'
import { MAIN_SECTION, type TranscriptSection, type TranscriptSession } from './transcripts/transcript.ts'

/** Options of {@link toSessionLines}. */
export interface SessionLinesOptions extends IdentityOptions {
  /** The title of the session. Default: that of the conversation, or the first prompt of a transcript. */
  readonly title?: string
  /** The format of a transcript, which is noted in the parameters of the session. */
  readonly format?: string
}

/** A session as it is written. */
interface SessionContent {
  readonly id: string
  readonly title: string
  readonly parameters: JsonObject
  readonly createdAt: string
  readonly updatedAt: string
  readonly sections: readonly TranscriptSection[]
}

/**
 * Writes a conversation of a file, or a session of a transcript, as the lines that `storage.importSession` accepts: all
 * branches, and sub-agents as sections. Tools, settings and records that are no messages are not part of a session.
 *
 * @example
 * for (const conversation of fromConversations(text)) await storage.importSession(toSessionLines(conversation))
 * for (const session of fromTranscript(file).sessions) await storage.importSession(toSessionLines(session))
 */
export function* toSessionLines(
  source: ImportedConversation | TranscriptSession,
  options: SessionLinesOptions = {},
): Generator<string, void, undefined> {
  const { sections, title, ...content } = withTypedErrors(
    () =>
      'sections' in source ? describeTranscript(source, options) : describeConversation(source, options),
    [source, options],
  )
  yield JSON.stringify({
    interlingua: STORED_VERSION,
    session: { ...content, title: toStorableTitle(title), labels: [] },
    sections: sections.map(({ name, head }) => ({ name, ...omitUndefined({ head }) })),
  })
  for (const { name, messages } of sections)
    for (const message of messages)
      yield JSON.stringify({ ...withTypedErrors(() => toJson(message), [source, options]), section: name })
}

function describeConversation(
  conversation: ImportedConversation,
  options: SessionLinesOptions,
): SessionContent {
  const { value, allMessages, id = generateId('session', options) } = conversation
  const branch = [...value.messages]
  const messages = allMessages ?? branch.map((message, index) => withParent(message, branch[index - 1]))
  const createdAt = conversation.createdAt ?? messages[0]?.createdAt ?? createTimestamp(options)
  const head = branch.at(-1)?.id
  return {
    id,
    title: options.title ?? conversation.title ?? '',
    parameters: {},
    createdAt,
    updatedAt: conversation.updatedAt ?? messages.at(-1)?.createdAt ?? createdAt,
    sections: [{ name: MAIN_SECTION, ...omitUndefined({ head }), messages }],
  }
}

function describeTranscript(session: TranscriptSession, options: SessionLinesOptions): SessionContent {
  const { id, workingDirectory, parentSession, metadata, sections } = session
  const { createdAt = createTimestamp(options), updatedAt = createdAt } = session
  const transcript = {
    ...omitUndefined({ format: options.format, id, workingDirectory, parentSession }),
    ...metadata,
  }
  const title = options.title ?? session.title ?? findFirstPrompt(sections)
  return { id, title, parameters: { transcript }, createdAt, updatedAt, sections }
}

function findFirstPrompt(sections: readonly TranscriptSection[]): string {
  const messages: readonly Message[] = sections.find(({ name }) => name === MAIN_SECTION)?.messages ?? []
  for (const { role, content } of messages)
    if (role === 'user') for (const part of content) if (part.type === 'text') return part.text
  return ''
}

/** The longest title that every storage accepts. */
const MAX_TITLE_LENGTH = 256

/** Returns the first line of a text, without what a storage cannot store. */
function toStorableTitle(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  return line.slice(0, MAX_TITLE_LENGTH).replaceAll(/\p{Cs}|\0/gu, '\ufffd')
}
