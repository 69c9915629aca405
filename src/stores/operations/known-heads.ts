import type { Message } from '../../canonical/model/message.ts'
import { type AppendOptions, type AppendResult, DEFAULT_SECTION } from '../conversation-storage.ts'
import type { UnchangedAppend } from '../rows/row-store.ts'
import type { MessageRow, NodeRow, SectionRow, SessionRow } from '../rows/row-definitions.ts'
import { messageFromRow, toMessageRow } from '../rows/row-hash.ts'
import { RepeatedUsageFilter } from './repeated-usage-filter.ts'
import { createMessagePlacement, createUpdateTime, type OpenedSession } from './open-session.ts'

/** Maximum number of sessions whose heads are known. */
const MAX_SESSIONS = 1000

/** Maximum number of messages that are planned; longer appends spend most of their time on the messages anyway. */
const MAX_MESSAGES = 50

/** A session after an append of this process, and the heads that this process has appended. */
interface KnownSession {
  readonly row: SessionRow
  readonly sections: readonly SectionRow[]
  /** Heads by section. Nothing follows any of them in the session. */
  readonly heads: Map<string, NodeRow>
}

/** What an append has written: the session before and after it, the section after it, and its new head. */
export interface WrittenAppend {
  readonly opened: Pick<OpenedSession, 'row' | 'sections'>
  readonly touchedSession: SessionRow
  readonly movedSection: SectionRow
  readonly head: NodeRow
}

/** An append that a backend can check and write at once, and its result if the backend does. */
export interface PlannedAppend {
  readonly append: UnchangedAppend
  readonly result: AppendResult
  readonly written: WrittenAppend
}

/**
 * The sessions that this process has appended to most recently, of one tenant. The next append assumes that they are
 * unchanged and lets the backend compare them, instead of reading them again.
 */
export class KnownHeads {
  readonly #sessions = new Map<string, KnownSession>()

  /** Remembers the state of a session after an append. The append may still fail: a wrong state is found out later. */
  remember({ opened: { row, sections }, touchedSession, movedSection, head }: WrittenAppend): void {
    const { id } = row
    const { name } = movedSection
    const known = this.#sessions.get(id)
    const isUnchanged = known?.row.key === row.key && known.row.updatedAt === row.updatedAt
    this.#sessions.delete(id)
    // Damaged rows are read again each time, so that they are reported.
    if (row.fault !== undefined || movedSection.fault !== undefined) return
    if (this.#sessions.size >= MAX_SESSIONS) this.#sessions.delete(this.#sessions.keys().next().value ?? '')
    const index = sections.findIndex((each) => each.name === name)
    const heads = isUnchanged ? known.heads : new Map<string, NodeRow>()
    heads.set(name, head)
    this.#sessions.set(id, {
      row: touchedSession,
      sections: index === -1 ? [...sections, movedSection] : sections.with(index, movedSection),
      heads,
    })
  }

  /** Plans an append after the known head; `undefined` without one, or if the options ask for another position. */
  plan(
    session: string,
    messages: readonly Message[],
    { section: name = DEFAULT_SECTION, expectedHead, after, lease }: AppendOptions,
    identity: OpenedSession['identity'],
  ): PlannedAppend | undefined {
    const known = this.#sessions.get(session)
    const head = known?.heads.get(name)
    const section = known?.sections.find((each) => each.name === name)
    const isAfterHead = [expectedHead, after].every((id) => id === undefined || id === head?.id)
    if (known === undefined || head === undefined || section?.head !== head.key || !isAfterHead)
      return undefined
    if (
      messages.length === 0 ||
      messages.length > MAX_MESSAGES ||
      (lease !== undefined && typeof lease !== 'string')
    )
      return undefined
    const { row, sections } = known
    const placement = createMessagePlacement(row, identity, name)
    const built: MessageRow[] = []
    const usageFilter = new RepeatedUsageFilter()
    for (const message of messages)
      built.push(usageFilter.removeRepeatedUsage(toMessageRow(message, placement, built.at(-1) ?? head)))
    const last = built.at(-1) ?? head
    const touchedSession = { ...row, updatedAt: createUpdateTime(row, identity) }
    const movedSection = { ...section, head: last.key }
    const owners = [...new Set([row.key, ...sections.flatMap(({ lineage }) => lineage)])]
    return {
      append: {
        session: row,
        section,
        touchedSession,
        movedSection,
        messages: built,
        owners,
        ...(lease !== undefined && { lease }),
      },
      result: { head: last.id, added: built.map(messageFromRow), length: last.depth },
      written: { opened: { row, sections }, touchedSession, movedSection, head: last },
    }
  }
}
