import { type NestedRun, parseNestedRun } from '../../agent/paused-run.ts'
import type { ToolResultPart } from '../../canonical/model/part.ts'
import { toFrozenPart } from '../../canonical/shape/strict-reader.ts'
import { digestText } from '../../wire/digest.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { type ConversationStorage, STEPS_SECTION } from '../conversation-storage.ts'
import { damagedError } from '../storage-errors.ts'
import { readNote, toNoteMessage } from './note-messages.ts'

/** What is known of a call: nothing, that it began, what it gave, or what an agent inside of it left open. */
export type CallState = 'new' | 'begun' | ToolResultPart | NestedRun

/**
 * The log of tools, kept beside the conversation: that a call has begun is written before it runs, and what it gave before
 * anything else happens. A call is named by the answer that holds it and by its id; each time that it goes on after a pause of an
 * agent inside of it, by how often that has paused.
 */
export class StepLog {
  readonly #storage: ConversationStorage
  readonly #session: string

  constructor(storage: ConversationStorage, session: string) {
    this.#storage = storage
    this.#session = session
  }

  /** Notes that a call begins; of several who do so at once, one finds it new. */
  async begin(answer: string, call: string, pauses = 0): Promise<CallState> {
    const fresh = await this.#write(noteId('started', answer, call, pauses), { startedCall: call })
    return fresh ? 'new' : this.readState(answer, call, pauses)
  }

  async finish(answer: string, call: string, given: ToolResultPart | NestedRun, pauses = 0): Promise<void> {
    // What is here is plain JSON: parts and paused runs are.
    const value = given as unknown as Json
    await this.#write(
      noteId('finished', answer, call, pauses),
      'run' in given ? { nestedRun: value } : { result: value },
    )
  }

  async readState(answer: string, call: string, pauses = 0): Promise<CallState> {
    const done = await this.#read(noteId('finished', answer, call, pauses))
    if (done !== undefined) return readOutcome(done)
    return (await this.#read(noteId('started', answer, call, pauses))) === undefined ? 'new' : 'begun'
  }

  /** What an agent inside of a call left open last, if it ever did, and what is known of the call since. */
  async readLatestState(
    answer: string,
    call: string,
  ): Promise<{ readonly state: CallState; readonly nested?: NestedRun }> {
    let nested: NestedRun | undefined
    for (let pauses = 0; ; pauses += 1) {
      const state = await this.readState(answer, call, pauses)
      if (typeof state === 'string' || 'type' in state) return { state, ...(nested && { nested }) }
      nested = { ...state, pauseCount: pauses + 1 }
    }
  }

  async #write(id: string, value: Json): Promise<boolean> {
    const { added } = await this.#storage.append(this.#session, toNoteMessage(value, { id }), {
      section: STEPS_SECTION,
    })
    return added.length > 0
  }

  async #read(id: string): Promise<Json | undefined> {
    return readNote(await this.#storage.get(this.#session, id))
  }
}

/** Call ids are the provider's, and may be longer than an id that can be stored. */
function noteId(kind: string, answer: string, call: string, pauses: number): string {
  const names = [kind, answer, call, ...(pauses === 0 ? [] : [pauses])]
  return `step_${digestText(JSON.stringify(names)).slice(0, 32)}`
}

function readOutcome(value: Json): ToolResultPart | NestedRun {
  if (isObject(value) && 'nestedRun' in value) return parseNestedRun(value['nestedRun'])
  const part = isObject(value) ? toFrozenPart(value['result'] as unknown as ToolResultPart) : undefined
  if (part?.type !== 'tool-result') throw damagedError('The log of tools holds something that is no result')
  return part
}
