import type { Message } from '../../canonical/model/message.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { child } from '../../wire/json-pointer.ts'
import { isObject, itemsOf, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { readUiMessage } from '../ai-sdk-ui-messages/read.ts'
import {
  hasItem,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
  type RecordSigns,
} from '../engine/format-signs.ts'
import type { ReadingContext } from '../engine/message-format.ts'
import {
  omitKeys,
  readText,
  readTime,
  type SessionBuilder,
  withFields,
} from '../transcripts/session-builder.ts'
import type { TranscriptReader } from '../transcripts/transcript-reader.ts'
import { ABORTED_ERROR, MESSAGE_FIELDS, NAME } from './constants.ts'
import { collectSessions, type StoredMessage, type StoredSession } from './collect-sessions.ts'
import { toPartNote, toUiMessage } from './to-ui-message.ts'

const isMessageInfo = isEvery(hasText('id'), hasText('sessionID'), hasValue('role', 'user', 'assistant'))

/** The signs of an export of opencode, and of the files of its storage. */
const signs: RecordSigns = {
  title: 'an export or the storage files of opencode',
  marks: [
    [
      'an export with `info` and `messages`',
      isEvery(hasObject('info', isAny(hasText('projectID'), hasText('directory'), hasObject('time')))),
    ],
    ['messages with `info` and `parts`', hasItem('messages', hasObject('info', isMessageInfo))],
    ['a session', isEvery(hasText('id'), hasText('title'), hasObject('time'), hasText('version'))],
    ['a message with `sessionID`', isEvery(isMessageInfo, hasObject('time'))],
    ['a part with `messageID`', isEvery(hasText('messageID'), hasText('sessionID'), hasText('type'))],
  ],
}

/** The reader of exports and of the storage of opencode. */
export const transcriptReader: TranscriptReader<typeof NAME> = {
  name: NAME,
  signs,
  read: (files, context) => {
    for (const stored of collectSessions(files)) readSession(stored, context.session(stored.id))
  },
}

function readSession({ info, messages, others }: StoredSession, session: SessionBuilder): void {
  if (info !== undefined) readInfo(info, session)
  for (const record of others) session.keep(record)
  const reverted = isObject(info?.['revert']) ? info['revert']['messageID'] : undefined
  const tree = session.tree()
  let revertedHead: { readonly head: string | undefined } | undefined
  for (const [index, message] of messages.entries()) {
    const { id, at } = message
    if (id === reverted) revertedHead ??= { head: tree.head }
    // The summary of a compaction replaces what was before it.
    if (isCompaction(message, messages[index + 1])) tree.head = undefined
    if (hasFailed(message)) session.keep({ ...at, record: { info: message.info, parts: [...message.parts] } })
    else
      tree.append(
        id,
        session.tryRead(at, () => decodeMessage(message)),
        at,
      )
  }
  if (revertedHead !== undefined) tree.head = revertedHead.head
}

function readInfo(info: JsonObject, session: SessionBuilder): void {
  const { fields } = session
  const { title, directory, parentID, time } = info
  fields.title = readText(title)
  fields.workingDirectory = readText(directory)
  fields.parentSession = readText(parentID)
  if (isObject(time)) {
    fields.createdAt = readTime(time['created'])
    fields.updatedAt = readTime(time['updated'])
  }
  session.addMetadata(omitKeys(info, ['directory', 'id', 'parentID', 'title']))
}

function isCompaction({ parts }: StoredMessage, next: StoredMessage | undefined): boolean {
  return parts.some(({ type }) => type === 'compaction') && next?.info['summary'] === true && !hasFailed(next)
}

/** Answers with an error are not sent again, unless the user stopped them. */
function hasFailed({ info: { role, error }, parts }: StoredMessage): boolean {
  if (role !== 'assistant' || !isObject(error)) return false
  const hasContent = parts.some(({ type }) => type !== 'step-start' && type !== 'reasoning')
  return error['name'] !== ABORTED_ERROR || !hasContent
}

/** The ids are set after reading. */
const readingContext: ReadingContext = { messageId: () => NAME, newId: () => NAME, report: () => {} }

function decodeMessage({ id, info, parts, at }: StoredMessage): readonly Message[] {
  const wire = toUiMessage(info, parts)
  const read =
    itemsOf(wire['parts']).length === 0
      ? []
      : readUiMessage(wire, undefined, child(undefined, at.line), readingContext)
  const notes = parts.flatMap((part) => toPartNote(part) ?? [])
  const note = { ...omitKeys(info, MESSAGE_FIELDS), ...(notes.length > 0 && { parts: notes }) }
  const createdAt = isObject(info['time']) ? readTime(info['time']['created']) : undefined
  return withFields(addAnswerFields(read, info, parts), id, createdAt, NAME, note)
}

/** Adds the tokens of each step to its answer; without steps, the last answer has those of the message. */
function addAnswerFields(
  messages: readonly Message[],
  info: JsonObject,
  parts: readonly JsonObject[],
): readonly Message[] {
  const steps = parts.filter(({ type }) => type === 'step-finish').map(({ tokens }) => readUsage(tokens))
  const answers = messages.filter((message) => message.role === 'assistant')
  const usages =
    steps.length === answers.length
      ? steps
      : [...answers.slice(1).map(() => undefined), readUsage(info['tokens'])]
  const [provider, model] = [readText(info['providerID']), readText(info['modelID'])]
  const origin = { dialect: NAME, ...omitUndefined({ provider, model }) }
  let index = -1
  return messages.map((message) => {
    if (message.role !== 'assistant') return message
    index += 1
    return { ...message, origin, ...omitUndefined({ usage: usages[index] }) }
  })
}

/** Reads token counts, whose input excludes cached tokens and whose output excludes reasoning. */
function readUsage(tokens: Json | undefined): Usage | undefined {
  if (!isObject(tokens)) return undefined
  const cache = isObject(tokens['cache']) ? tokens['cache'] : {}
  const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)
  const [read, write, reasoning] = [count(cache['read']), count(cache['write']), count(tokens['reasoning'])]
  const inputTokens = count(tokens['input']) + read + write
  const outputTokens = count(tokens['output']) + reasoning
  if (inputTokens + outputTokens === 0) return undefined
  const totals = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
  return { ...totals, cachedInputTokens: read, cacheWriteTokens: write, reasoningTokens: reasoning }
}
