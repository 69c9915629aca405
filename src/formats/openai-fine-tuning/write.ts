import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { itemsOf, type JsonObject } from '../../wire/json.ts'
import type { PlacedConversation } from '../engine/conversation-codec.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { writeWireRecord } from '../engine/wire-record.ts'
import { CHAT_SLOT, FINE_TUNING_SLOT, PAIR_KEYS, RECORD_FORMAT } from './constants.ts'
import { getExtra, hasExtra, withExtra, withoutExtra } from '../../canonical/model/extra.ts'
import type { Message } from '../../canonical/model/message.ts'

const WEIGHT = 'weight'

/**
 * Moves the weight of a message to another slot. Between reading and writing it belongs to fine-tuning, because Chat Completions
 * rejects requests that contain it.
 */
export function moveWeight(message: Message, from: string, to: string): Message {
  if (!hasExtra(message, from, WEIGHT)) return message
  const weight = getExtra(message, from, WEIGHT) ?? null
  return withExtra(withoutExtra(message, from, WEIGHT), to, { [WEIGHT]: weight })
}

/** Writes a line. A conversation that was read from a preference pair becomes one again. */
export function writeRecord(conversation: PlacedConversation, report: FormatReporter): JsonObject {
  const messages = conversation.messages.map(({ message, path }) => ({
    message: moveWeight(message, FINE_TUNING_SLOT, CHAT_SLOT),
    path,
  }))
  const body = writeWireRecord(RECORD_FORMAT, { ...conversation, messages }, report)
  const { request } = conversation
  const { pair, preferred, rejected } = getHints(request, FINE_TUNING_SLOT)
  if (!Array.isArray(rejected) || typeof preferred !== 'number') return body
  const keys = PAIR_KEYS[Number(pair)] ?? PAIR_KEYS[0]
  const written = itemsOf(body['messages'])
  const split = Math.max(0, written.length - preferred)
  const record = {
    input: { ...body, messages: written.slice(0, split) },
    [keys.preferred]: written.slice(split),
    [keys.rejected]: rejected,
  }
  return applyResidue(record, request, FINE_TUNING_SLOT)
}
