import type { Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { attachResidue } from '../../dialects/engine/residue-slots.ts'
import { isEqualJson, itemsOf, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { CallIdAssigner } from '../engine/call-id-assigner.ts'
import type { ConversationContent } from '../engine/conversation-codec.ts'
import { silentReporter } from '../engine/format-loss-reporter.ts'
import { readFunctionTools } from '../engine/function-tools.ts'
import type { ReadingContext } from '../engine/message-format.ts'
import { withParent } from '../engine/message-tree.ts'
import { requireObject } from '../engine/require-fields.ts'
import { HUGGINGFACE_SLOT, TEXT_ROLES } from './constants.ts'
import { getImageKey, ImageColumn, isImagePlace, listImages } from './media.ts'
import { readMessages } from './messages.ts'
import { requireLayout } from './row-layout.ts'
import { writeRow } from './write.ts'

/** Reads a row. Of a preference pair, the chosen answer is the current branch. */
export function readRow(
  record: JsonObject,
  path: Path | undefined,
  context: ReadingContext,
): ConversationContent {
  const { layout, isText } = requireLayout(record, path)
  const { columns, rejected } = layout
  const read = (names: readonly string[]): readonly Message[] => readColumns(record, names, path, context)
  const messages = read(columns)
  const request: ChatRequest = { messages: Object.freeze(messages), ...readTools(record) }
  const last = columns.at(-1) ?? ''
  const hints = {
    ...(layout.name !== 'messages' && {
      layout: layout.name,
      answer: listMessages(record, last, path).length,
    }),
    ...(rejected !== undefined && { rejected: record[rejected] ?? null }),
    ...(isText && { texts: true }),
    ...(typeof record['tools'] === 'string' && { tools: 'text' }),
    ...(getImageKey(record) === 'image' && { image: true }),
  }
  const content = {
    request: attachResidue(request, HUGGINGFACE_SLOT, hints, record, (unit) =>
      writeRow(
        {
          request: unit,
          messages: messages.map((message, index) => ({ message, path: child(undefined, index) })),
          listPath: undefined,
        },
        silentReporter,
      ),
    ),
  }
  if (rejected === undefined) return content
  const prompts = columns.slice(0, -1)
  const list = (names: readonly string[]): readonly JsonObject[] =>
    names.flatMap((name) => listMessages(record, name, path))
  const shared = countShared(list(columns), list([...prompts, rejected]))
  const chain = messages.map((message, index) => withParent(message, messages[index - 1]))
  const others = read([...prompts, rejected]).slice(shared)
  const branch = others.map((message, index) =>
    withParent(message, index === 0 ? chain[shared - 1] : others[index - 1]),
  )
  return branch.length === 0 ? content : { ...content, allMessages: [...chain, ...branch] }
}

/** Reads the messages of several columns, one after another. */
function readColumns(
  record: JsonObject,
  columns: readonly string[],
  path: Path | undefined,
  context: ReadingContext,
): readonly Message[] {
  const lists = columns.map((column) => listMessages(record, column, path))
  const images = new ImageColumn(listImages(record))
  const owner = lists.flat().find(({ role }) => role === 'user')
  const hasPlaces = lists.flat().some(({ content }) => itemsOf(content).some(isImagePlace))
  const unplaced = owner === undefined || hasPlaces ? undefined : { owner, parts: images.takeUnplaced() }
  const reading = { context, pairing: new CallIdAssigner(), images, ...(unplaced && { unplaced }) }
  return lists.flatMap((list, index) => readMessages(list, child(path, columns[index] ?? ''), reading))
}

/** Returns the messages of a column: a list, or a text of one message. */
function listMessages(record: JsonObject, column: string, path: Path | undefined): readonly JsonObject[] {
  const value = record[column]
  if (typeof value === 'string') return [{ role: TEXT_ROLES[column] ?? 'user', content: value }]
  return itemsOf(value).map((item, index) =>
    requireObject(item, child(child(path, column), index), 'a message'),
  )
}

/** Returns how many canonical messages both branches start with: consecutive results are one message. */
function countShared(chosen: readonly JsonObject[], rejected: readonly JsonObject[]): number {
  const isResult = (wire: JsonObject | undefined): boolean => wire?.['role'] === 'tool'
  let length = 0
  while (length < chosen.length && length < rejected.length && isEqualJson(chosen[length], rejected[length]))
    length += 1
  const isCut = (): boolean => isResult(chosen[length]) || isResult(rejected[length])
  while (length > 0 && isCut()) length -= 1
  return chosen.slice(0, length).filter((wire, index) => !isResult(wire) || !isResult(chosen[index - 1]))
    .length
}

function readTools({ tools }: JsonObject): Pick<ChatRequest, 'tools'> {
  const described = readFunctionTools(tools)
  return described === undefined || described.length === 0 ? {} : { tools: described }
}
