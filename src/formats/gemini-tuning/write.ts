import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { PlacedConversation } from '../engine/conversation-codec.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { writeWireRecord } from '../engine/wire-record.ts'
import { RECORD_FORMAT, TUNING_SLOT } from './constants.ts'

/** Writes a line. A conversation that was read from rated answers becomes such a line again. */
export function writeRecord(conversation: PlacedConversation, report: FormatReporter): JsonObject {
  const body = writeWireRecord(RECORD_FORMAT, conversation, report)
  const { request } = conversation
  const { completions, preferred } = getHints(request, TUNING_SLOT)
  const contents = itemsOf(body['contents'])
  const answer = contents.at(-1)
  if (!Array.isArray(completions) || answer === undefined) return body
  const record = {
    ...body,
    contents: contents.slice(0, -1),
    completions: itemsOf(completions as Json).map((rated, index) =>
      index === preferred && isObject(rated) ? { ...rated, completion: answer } : rated,
    ),
  }
  return applyResidue(record, request, TUNING_SLOT)
}
