import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { CallIdHint } from '../../dialects/engine/residue-hints.ts'
import { addHints, getHints, type Slot, toSlot } from '../../dialects/engine/residue-slots.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'

/**
 * Removes the marks of call ids that break the rule of the client's format. A decoder marks them as accepted, because the provider
 * of the format must have sent them; here another provider may have, whose ids this one refuses. Without the mark, the encoder
 * changes the ids of a call and its result in the same way.
 */
export function forgetAcceptedIds(request: ChatRequest, dialect: string): ChatRequest {
  const slot: Slot<CallIdHint> = toSlot(dialect)
  const isMarked = (part: Part): boolean => getHints(part, slot)['acceptedId'] === true
  const messages = [...request.messages]
  if (!messages.some(({ content }) => content.some(isMarked))) return request
  return { ...request, messages: messages.map((message) => forgetInMessage(message, slot, isMarked)) }
}

function forgetInMessage(
  message: Message,
  slot: Slot<CallIdHint>,
  isMarked: (part: Part) => boolean,
): Message {
  if (!message.content.some(isMarked)) return message
  const content = message.content.map((part) =>
    isMarked(part) ? freezeOwned(addHints(part, slot, { acceptedId: false })) : part,
  )
  return freezeOwned({ ...message, content } as Message)
}
