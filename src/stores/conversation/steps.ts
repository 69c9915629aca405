import type { ToolResultPart } from '../../canonical/model/part.ts'
import { ownPart } from '../../canonical/shape/strict.ts'
import { digestText } from '../../wire/digest.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { type ConversationStorage, STEPS_SECTION } from '../contract.ts'
import { damaged } from '../failures.ts'
import { noted, noteOf } from './notes.ts'

/** What is known of a call: nothing, that it began, or what it gave. */
export type CallState = 'new' | 'begun' | ToolResultPart

/**
 * The log of tools, kept beside the conversation: that a call has begun is written before it runs, and what it gave before
 * anything else happens. A call is named by the answer that holds it and by its id.
 */
export class StepLog {
  readonly #storage: ConversationStorage
  readonly #session: string

  constructor(storage: ConversationStorage, session: string) {
    this.#storage = storage
    this.#session = session
  }

  /** Notes that a call begins; of several who do so at once, one finds it new. */
  async begin(answer: string, call: string): Promise<CallState> {
    const fresh = await this.#write(noteId('begun', answer, call), { begun: call })
    return fresh ? 'new' : this.stateOf(answer, call)
  }

  async finish(answer: string, call: string, result: ToolResultPart): Promise<void> {
    // What is here is plain JSON: parts are.
    await this.#write(noteId('done', answer, call), { result: result as unknown as Json })
  }

  async stateOf(answer: string, call: string): Promise<CallState> {
    const done = await this.#read(noteId('done', answer, call))
    if (done !== undefined) return resultOf(done)
    return (await this.#read(noteId('begun', answer, call))) === undefined ? 'new' : 'begun'
  }

  async #write(id: string, value: Json): Promise<boolean> {
    const { added } = await this.#storage.append(this.#session, noteOf(value, { id }), {
      section: STEPS_SECTION,
    })
    return added.length > 0
  }

  async #read(id: string): Promise<Json | undefined> {
    return noted(await this.#storage.get(this.#session, id))
  }
}

/** Call ids are the provider's, and may be longer than an id that can be stored. */
function noteId(kind: string, answer: string, call: string): string {
  return `step_${digestText(JSON.stringify([kind, answer, call])).slice(0, 32)}`
}

function resultOf(value: Json): ToolResultPart {
  const part = isObject(value) ? ownPart(value['result'] as unknown as ToolResultPart) : undefined
  if (part?.type !== 'tool-result') throw damaged('The log of tools holds something that is no result')
  return part
}
