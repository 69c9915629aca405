import type { ChatEvent } from '../canonical/model/event.ts'
import type { AssistantMessage } from '../canonical/model/message.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import { sealOwn } from '../wire/frozen.ts'

/** Who made an answer, and when it came. */
export interface Maker {
  readonly provider: string
  /** ISO 8601. */
  readonly at: string
}

/** A response whose messages say who made them. */
export function attribute(response: ChatResponse, maker: Maker): ChatResponse {
  const candidates = response.candidates.map((message) => signed(message, maker))
  return sealOwn({ ...response, candidates })
}

function signed(message: AssistantMessage, { provider, at }: Maker): AssistantMessage {
  const { origin } = message
  if (origin === undefined || (origin.provider !== undefined && message.createdAt !== undefined))
    return message
  return sealOwn({ ...message, createdAt: message.createdAt ?? at, origin: { provider, ...origin } })
}

/** The event that starts an answer says it, too, for those who fold events themselves. */
export function attributeEvent(event: ChatEvent, { provider, at }: Maker): ChatEvent {
  if (event.type !== 'start' || event.origin === undefined) return event
  return { ...event, origin: { provider, ...event.origin }, message: { createdAt: at, ...event.message } }
}
