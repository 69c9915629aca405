import { type NestedRun, parseNestedRun } from '../../agent/paused-run.ts'
import type { ToolResultPart } from '../../canonical/model/part.ts'
import { digestText } from '../../wire/digest.ts'
import { isObject, type Json } from '../../wire/json.ts'
import type { ConversationStorage } from '../conversation-storage.ts'
import { TOOL_CALL_LOG_SECTION, toUntrustedLogId } from '../internal-sections.ts'
import { createDamagedDataError } from '../storage-errors.ts'
import { readNote, toNoteMessage } from './context-notes.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'

/** The outcome of a tool step: the result of the call, or the nested run that paused. */
export type LoggedCallOutcome = ToolResultPart | NestedRun

/**
 * The logged state of a call; an outcome if it has finished or paused. `untrusted`: an import claims that it was started
 * elsewhere, which proves neither its approval nor its outcome.
 */
type CallState = 'new' | 'started' | 'untrusted' | LoggedCallOutcome

/**
 * The log of tool calls, stored in a section of the session. The start of a call is written before it runs,
 * and its result before anything else happens. An entry is identified by assistant message, call id and the
 * number of pauses of a nested run.
 */
export class ToolCallLog {
  readonly #storage: ConversationStorage
  readonly #session: string

  constructor(storage: ConversationStorage, session: string) {
    this.#storage = storage
    this.#session = session
  }

  /** Logs the start of a call and returns its state. Of several concurrent callers, one gets `new`. */
  async begin(messageId: string, call: string, pauses: number): Promise<CallState> {
    const id = recordId('started', messageId, call, pauses)
    const isNew = await this.#write(id, { startedCall: call })
    if (!isNew) return this.#readState(messageId, call, pauses)
    return (await this.#isUntrusted(id)) ? 'untrusted' : 'new'
  }

  async finish(messageId: string, call: string, pauses: number, outcome: LoggedCallOutcome): Promise<void> {
    // Parts and nested runs are plain JSON.
    const value = outcome as unknown as Json
    const note = 'run' in outcome ? { nestedRun: value } : { result: value }
    await this.#write(recordId('finished', messageId, call, pauses), note)
  }

  async #readState(messageId: string, call: string, pauses: number): Promise<CallState> {
    const done = await this.#read(recordId('finished', messageId, call, pauses))
    if (done !== undefined) return readOutcome(done)
    const started = recordId('started', messageId, call, pauses)
    if ((await this.#read(started)) !== undefined) return 'started'
    return (await this.#isUntrusted(started)) ? 'untrusted' : 'new'
  }

  /** Returns the state of a call after its last pause, and the nested run that paused, if any. */
  async readLatestState(
    messageId: string,
    call: string,
  ): Promise<{ readonly state: Exclude<CallState, NestedRun>; readonly nested?: NestedRun }> {
    let nested: NestedRun | undefined
    for (let pauses = 0; ; pauses += 1) {
      const state = await this.#readState(messageId, call, pauses)
      if (typeof state === 'string' || 'type' in state) return { state, ...(nested && { nested }) }
      nested = { ...state, pauseCount: pauses + 1 }
    }
  }

  async #write(id: string, value: Json): Promise<boolean> {
    const note = toNoteMessage(value, { id })
    const { added } = await this.#storage.append(this.#session, note, { section: TOOL_CALL_LOG_SECTION })
    return added.length > 0
  }

  async #read(id: string): Promise<Json | undefined> {
    // A message of another section may come from anybody, and it could have the same id.
    return readNote(await this.#storage.get(this.#session, id, { section: TOOL_CALL_LOG_SECTION }))
  }

  async #isUntrusted(started: string): Promise<boolean> {
    return (await this.#read(toUntrustedLogId(started))) !== undefined
  }
}

/** Call ids come from the provider and may exceed the maximum length of an id. */
function recordId(kind: string, messageId: string, call: string, pauses: number): string {
  const names = [kind, messageId, call, ...(pauses === 0 ? [] : [pauses])]
  return `step_${digestText(JSON.stringify(names)).slice(0, 32)}`
}

function readOutcome(value: Json): LoggedCallOutcome {
  if (isObject(value) && 'nestedRun' in value) return parseNestedRun(value['nestedRun'])
  const part = isObject(value) ? checkAndFreezePart(value['result'] as unknown as ToolResultPart) : undefined
  if (part?.type !== 'tool-result')
    throw createDamagedDataError('The tool log contains an entry that is not a tool result')
  return part
}
