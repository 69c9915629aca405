import type { Usage } from '../../canonical/model/usage.ts'
import type { JsonObject } from '../../wire/json.ts'
import {
  hasKeys,
  hasList,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
  type MessageTest,
  type RecordSigns,
} from '../engine/format-signs.ts'
import { readText, type SessionBuilder } from '../transcripts/session-builder.ts'
import type { RecordFile } from '../transcripts/parse-transcript-files.ts'
import type { TranscriptReader } from '../transcripts/transcript-reader.ts'
import type { TranscriptRecord } from '../transcripts/transcript.ts'
import { decodeApiMessage, hasContent, listRequestUsages } from './api-message.ts'
import { NAME, TASK_FILES } from './constants.ts'

const hasTime = ({ ts }: JsonObject): boolean => typeof ts === 'number'

/** Returns true for a message of the conversation with the model. */
const isApiMessage: MessageTest = isEvery(
  hasValue('role', 'user', 'assistant'),
  isAny(hasText('content'), hasList('content'), hasValue('type', 'reasoning')),
)

/** Returns true for an entry of what the user sees. */
const isViewEntry: MessageTest = isEvery(
  hasTime,
  hasValue('type', 'say', 'ask'),
  isAny(hasText('say'), hasText('ask')),
)

/** The signs of the files of a task of Cline or Roo Code. */
const signs: RecordSigns = {
  title: 'the files of a task of Cline or Roo Code',
  marks: [
    [
      'a message with `ts`',
      isEvery(isApiMessage, isAny(hasTime, hasObject('modelInfo'), hasKeys('condenseParent'))),
    ],
    ['an entry of the type say or ask', isViewEntry],
    ['`files_in_context`', isEvery(hasList('files_in_context'))],
  ],
}

/** The reader of the files of tasks of Cline and Roo Code. */
export const transcriptReader: TranscriptReader<typeof NAME> = {
  name: NAME,
  signs,
  read: (files, context) => {
    for (const [id, task] of groupByFolder(files)) readTask(task, context.session(id))
  },
}

const getFileName = (path: string): string => /[^/\\]*$/.exec(path)?.[0] ?? ''

/** Returns the files by task: the folder of a task has its id as its name. */
function groupByFolder(files: readonly RecordFile[]): ReadonlyMap<string, readonly RecordFile[]> {
  const tasks = new Map<string, RecordFile[]>()
  for (const file of files) {
    const folder = /([^/\\]+)[/\\][^/\\]*$/.exec(file.path)?.[1] ?? NAME
    const task = tasks.get(folder) ?? []
    task.push(file)
    tasks.set(folder, task)
  }
  return tasks
}

function readTask(files: readonly RecordFile[], session: SessionBuilder): void {
  const messages: TranscriptRecord[] = []
  const view: JsonObject[] = []
  for (const { path, records } of files) {
    const name = getFileName(path)
    for (const at of records) {
      const { record } = at
      if (name === TASK_FILES.metadata || Array.isArray(record['files_in_context']))
        session.addMetadata(record)
      else if (name === TASK_FILES.history) readHistoryItem(record, session)
      else if (isViewEntry(record)) {
        view.push(record)
        session.keep(at)
      } else if (isApiMessage(record)) messages.push(at)
      else session.keep(at)
    }
  }
  session.fields.title ??= readText(
    view.find(({ type, say }) => type === 'say' && (say === 'task' || say === 'text'))?.['text'],
  )
  addMessages(messages, listRequestUsages(view), session)
}

/** The entry of a task in the list of tasks, which newer versions of Roo Code store with the task. */
function readHistoryItem(record: JsonObject, session: SessionBuilder): void {
  const { fields } = session
  fields.title = readText(record['task']) ?? fields.title
  fields.workingDirectory = readText(record['workspace']) ?? readText(record['cwdOnTaskInitialization'])
  fields.parentSession = readText(record['parentTaskId'])
  session.addMetadata(record)
}

/**
 * Adds the messages. Roo Code keeps messages that a summary or a truncation has replaced, and marks them with the id of what
 * replaced them: they are a branch of their own. Source: `getEffectiveApiHistory` in src/core/condense/index.ts.
 */
function addMessages(
  records: readonly TranscriptRecord[],
  usages: readonly (Usage | undefined)[],
  session: SessionBuilder,
): void {
  const replacements = new Set(
    records.flatMap(({ record }) =>
      [record['condenseId'], record['truncationId']].filter((id) => id !== undefined),
    ),
  )
  const isReplaced = ({ condenseParent, truncationParent }: JsonObject): boolean =>
    replacements.has(condenseParent ?? null) || replacements.has(truncationParent ?? null)
  const answers = records.filter(({ record }) => record['role'] === 'assistant')
  // The list of requests has no link to the answers: only the same number of both shows which one belongs to which.
  const requestUsages: readonly (Usage | undefined)[] = answers.length === usages.length ? usages : []
  const tree = session.tree()
  let answer = -1
  let replacedHead: string | undefined
  let isShared = true
  for (const [index, at] of records.entries()) {
    const { record } = at
    if (record['role'] === 'assistant') answer += 1
    const usage = record['role'] === 'assistant' ? requestUsages[answer] : undefined
    const id = `${session.id}-${index + 1}`
    const isMessage = hasContent(record) || record['type'] === 'reasoning'
    const messages = session.tryRead(at, () => (isMessage ? decodeApiMessage(record, id, usage) : []))
    if (isReplaced(record)) {
      if (isShared) replacedHead = tree.head
      isShared = false
      tree.add(id, replacedHead, messages, at)
      replacedHead = id
    } else tree.append(id, messages, at)
  }
}
