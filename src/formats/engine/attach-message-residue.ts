import type { Message } from '../../canonical/model/message.ts'
import { attachResidue, type Only, type Slot } from '../../dialects/engine/residue-slots.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { AliasesByKey } from '../../wire/residue.ts'
import { type FormatReporter, silentReporter } from './format-loss-reporter.ts'
import type { PlacedMessage } from './message-format.ts'

/** Options of {@link attachMessageResidue}. */
interface MessageResidueOptions {
  readonly aliases?: AliasesByKey
  /** The messages that were read from the same wire message and follow the first one. */
  readonly following?: readonly Message[]
}

/**
 * Returns a frozen message with its residue: its hints, and the difference between the wire message that it was read from
 * and the one that the writer of the format makes of it.
 */
export function attachMessageResidue<Name extends string, const Values extends JsonObject>(
  message: Message,
  slot: Slot<Name>,
  hints: Only<Values, Name>,
  wire: JsonObject,
  path: Path,
  write: (messages: readonly PlacedMessage[], report: FormatReporter) => readonly JsonObject[],
  { aliases, following = [] }: MessageResidueOptions = {},
): Message {
  const encode = (unit: Message): JsonObject | undefined =>
    write(
      [unit, ...following].map((each) => ({ message: each, path })),
      silentReporter,
    )[0]
  const options = aliases === undefined ? {} : { aliases }
  return attachResidue<Message, Name, Values>(message, slot, hints, wire, encode, options)
}
