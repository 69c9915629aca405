import { createHash } from 'node:crypto'
import { assistant, type Message, toolCall, toolResult, toolResults, user } from 'interlingua'

/** An answer that calls, by the ids of the calls. */
export const call = (id: string, ...ids: string[]): Message =>
  assistant(
    ids.map((each) => toolCall({ id: each, name: 'weather' })),
    { id },
  )
/** The results of a round. */
export const results = (id: string, ...ids: string[]): Message =>
  toolResults(
    ids.map((each) => toolResult(each, `${each} by ${id}`)),
    { id },
  )
export const say = (id: string, content = 'Hello'): Message => user(content, { id })

/** The id of a message that a repair makes. */
export const derived = (...ids: string[]): string =>
  `msg_${createHash('sha256').update(JSON.stringify(ids)).digest('hex').slice(0, 24)}`
