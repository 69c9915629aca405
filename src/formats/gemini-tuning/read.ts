import type { Message } from '../../canonical/model/message.ts'
import { attachResidue } from '../../dialects/engine/residue-slots.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { isObject, itemsOf, type JsonObject } from '../../wire/json.ts'
import type { ConversationContent } from '../engine/conversation-codec.ts'
import { silentReporter } from '../engine/format-loss-reporter.ts'
import { hasItem, hasList, hasObject, isEvery, type MessageTest } from '../engine/format-signs.ts'
import type { ReadingContext } from '../engine/message-format.ts'
import { withParent } from '../engine/message-tree.ts'
import { requireObject } from '../engine/require-fields.ts'
import { readWireRecord, requireMessages } from '../engine/wire-record.ts'
import { RECORD_FORMAT, TUNING_SLOT } from './constants.ts'
import { writeRecord } from './write.ts'

const hasScore = ({ score }: JsonObject): boolean => typeof score === 'number'

/** Matches a preference line: rated answers beside the contents. */
export const isRated: MessageTest = isEvery(
  hasList('contents'),
  hasItem('completions', isEvery(hasScore, hasObject('completion'))),
)

/** Reads a line. Of rated answers, the one with the highest score is the current branch. */
export function readRecord(
  record: JsonObject,
  path: Path | undefined,
  context: ReadingContext,
): ConversationContent {
  if (!isRated(record)) return { request: readWireRecord(RECORD_FORMAT, record, path, context) }
  const at = child(path, 'completions')
  const completions = itemsOf(record['completions']).map((given, index) => {
    const rated = requireObject(given, child(at, index), 'a rated answer')
    requireObject(rated['completion'], child(child(at, index), 'completion'), 'an answer')
    return rated
  })
  const preferred = findPreferred(completions)
  const contents = requireMessages(record, 'contents', path, RECORD_FORMAT.messageSigns)
  const { completions: _completions, ...body } = record
  const answer = completions[preferred]?.['completion'] as JsonObject
  const request = readWireRecord(RECORD_FORMAT, { ...body, contents: [...contents, answer] }, path, context)
  const messages = [...request.messages].map((message, index, all) => withParent(message, all[index - 1]))
  const others = completions.flatMap((rated, index): readonly Message[] => {
    if (index === preferred) return []
    const branch = { contents: [rated['completion'] as JsonObject] }
    const [message] = [...readWireRecord(RECORD_FORMAT, branch, child(at, index), context).messages]
    return message === undefined ? [] : [withParent(message, messages.at(-2))]
  })
  const hints = { completions, preferred }
  return {
    request: attachResidue(request, TUNING_SLOT, hints, record, (unit) =>
      writeRecord(
        {
          request: unit,
          messages: [...unit.messages].map((message, index) => ({ message, path: child(undefined, index) })),
          listPath: undefined,
        },
        silentReporter,
      ),
    ),
    allMessages: [...messages, ...others],
  }
}

/** Returns the position of the answer with the highest score; the first one of equal scores. */
function findPreferred(completions: readonly JsonObject[]): number {
  const score = (rated: JsonObject | undefined): number =>
    isObject(rated) && typeof rated['score'] === 'number' ? rated['score'] : -Infinity
  let best = 0
  completions.forEach((rated, index) => {
    if (score(rated) > score(completions[best])) best = index
  })
  return best
}
