import type { IdentityOptions } from '../../canonical/build/ids-and-timestamps.ts'
import { toMessage, toMessages } from '../../canonical/collections/message-input.ts'
import { Messages } from '../../canonical/collections/messages.ts'
import type { Message } from '../../canonical/model/message.ts'
import { throwInvalid } from '../../canonical/shape/shape.ts'
import { isObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { checkIdentifier } from '../check-arguments.ts'
import type { MessagesInput } from '../conversation-storage.ts'
import { forEachInSlices, mapInSlices } from '../event-loop-turns.ts'

interface InputScope {
  readonly identity: IdentityOptions
}

/** Number of messages that are read at once; more are read in slices. */
const MAX_SHORT_LENGTH = 64

/**
 * Returns the messages of an input; throws if an id occurs twice or cannot be stored. Other work of the process has its
 * turn in between if the input is long.
 */
export async function readInputMessages(
  input: MessagesInput,
  { identity }: InputScope,
): Promise<readonly Message[]> {
  const list = toMessageList(input)
  const messages =
    list === undefined
      ? toMessages(input, identity)
      : await mapInSlices(list, (each) => toMessage(each, identity))
  const ids = new Set<string>()
  await forEachInSlices(messages, (message, index) => addId(ids, message, index))
  return messages
}

/** Returns the messages of a short input; a copy of a long one, which is to be read with {@link readInputMessages}. */
export function readShortInput(
  input: MessagesInput,
  { identity }: InputScope,
): { readonly messages: readonly Message[] } | { readonly long: MessagesInput } {
  if (input instanceof Messages && input.size > MAX_SHORT_LENGTH) return { long: input }
  if (Array.isArray(input) && input.length > MAX_SHORT_LENGTH) return { long: [...input] as MessagesInput }
  const messages = toMessages(input, identity)
  const ids = new Set<string>()
  for (const [index, message] of messages.entries()) addId(ids, message, index)
  return { messages }
}

/** Returns the items of an input if each of them is one message; in other lists, items may be parts of one message. */
function toMessageList(input: MessagesInput): readonly (Message | string)[] | undefined {
  const list: unknown = input instanceof Messages ? input.toArray() : input
  const isMessage = (each: unknown): boolean =>
    typeof each === 'string' || (isObject(each) && Object.hasOwn(each, 'role'))
  return Array.isArray(list) && list.every(isMessage) ? (list as readonly (Message | string)[]) : undefined
}

function addId(ids: Set<string>, { id }: Message, index: number): void {
  if (ids.has(checkIdentifier(id, 'id'))) {
    const path = child(child(undefined, index), 'id')
    throwInvalid('invalid-value', path, 'an id that occurs twice', 'a unique id')
  }
  ids.add(id)
}
