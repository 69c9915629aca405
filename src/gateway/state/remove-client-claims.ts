import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { CallIdHint, EngineHint } from '../../dialects/engine/residue-hints.ts'
import { addHints, getHints, type Slot, toSlot } from '../../dialects/engine/residue-slots.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'

type ClaimSlot = Slot<CallIdHint | EngineHint>

/**
 * Removes the marks that a decoder makes because the client's format and model name say who produced its history. Behind a gateway
 * another provider may have: its reasoning is not foreign to it because the client calls it by the name of another model, and its
 * call ids may break the rule of the next provider, so that the encoder must be free to change them.
 */
export function removeClientClaims(request: ChatRequest, dialect: string): ChatRequest {
  const slot: ClaimSlot = toSlot(dialect)
  const messages = [...request.messages]
  const changed = messages.map((message) => forgetInMessage(message, slot))
  return changed.every((message, index) => message === messages[index])
    ? request
    : { ...request, messages: changed }
}

function forgetInMessage(message: Message, slot: ClaimSlot): Message {
  const isMarked = (part: Part): boolean => getHints(part, slot)['acceptedId'] === true
  const hasModel = getHints(message, slot)['requestModel'] !== undefined
  const hasMarked = message.content.some(isMarked)
  if (!hasModel && !hasMarked) return message
  const unnamed = hasModel ? addHints(message, slot, { requestModel: null }) : message
  if (!hasMarked) return freezeOwned(unnamed)
  const content = message.content.map((part) =>
    isMarked(part) ? freezeOwned(addHints(part, slot, { acceptedId: false })) : part,
  )
  return freezeOwned({ ...unnamed, content } as Message)
}
