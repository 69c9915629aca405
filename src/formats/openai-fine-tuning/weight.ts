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
