import type { IdentityOptions } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { ImportedSession, ImportOptions } from '../conversation-storage.ts'
import { mapInSlices, yieldIfTurnIsLong } from '../event-loop-turns.ts'
import { TOOL_CALL_LOG_SECTION, toUntrustedLogId } from '../internal-sections.ts'
import { checkIdentifier } from '../check-arguments.ts'
import type { RowStore, RowTransaction } from '../rows/row-store.ts'
import type { MessageRow, NodeRow, SectionRow, SessionRow } from '../rows/row-definitions.ts'
import { toMessageRow } from '../rows/row-hash.ts'
import { createConflictError } from '../storage-errors.ts'
import { RepeatedUsageFilter } from './repeated-usage-filter.ts'
import {
  type ImportedLine,
  invalidLine,
  parseHeaderLine,
  parseMessageLine,
  splitIntoBatches,
} from './import-lines.ts'
import { createSectionRow, type TenantScope, toSession } from './open-session.ts'
import { createSessionRow } from './sessions.ts'

/** Number of lines that are read, checked and written at once. */
const BATCH_SIZE = 250

/** Number of messages that are remembered as possible parents; others are looked up. */
const MAX_KNOWN_NODES = 10_000

/** How long an import may take for one batch before another process may remove what it has written. */
const RESERVATION_MS = 600_000

type Lines = Iterable<string> | AsyncIterable<string>
type Transact = <T>(act: (rows: RowTransaction) => Promise<T>) => Promise<T>

/**
 * Creates a session from exported lines. A storage that supports reservations stores them batch by batch, and the
 * session appears with the last one; otherwise all lines are read first and stored in one transaction.
 */
export async function importSession(
  store: RowStore,
  scope: { readonly tenant: string; readonly identity: IdentityOptions },
  lines: Lines,
  options: ImportOptions = {},
): Promise<ImportedSession> {
  if (store.supportsReservations === true)
    return new SessionImport(scope, options, (act) => store.write(act, { tenant: scope.tenant })).run(lines)
  const all: string[] = []
  for await (const line of lines) all.push(line)
  const importAll = (rows: RowTransaction): Promise<ImportedSession> =>
    new SessionImport(scope, options, (act) => act(rows)).run(all)
  return store.write(importAll, { tenant: scope.tenant })
}

class SessionImport {
  readonly #scope: Omit<TenantScope, 'rows'>
  readonly #options: ImportOptions
  readonly #transact: Transact
  readonly #nodes = new Map<string, NodeRow>()
  readonly #usageFilter = new RepeatedUsageFilter()
  #count = 0
  #untrustedCount = 0

  constructor(scope: Omit<TenantScope, 'rows'>, options: ImportOptions, transact: Transact) {
    this.#scope = scope
    this.#options = options
    this.#transact = transact
  }

  async run(lines: Lines): Promise<ImportedSession> {
    const batches = splitIntoBatches(lines, BATCH_SIZE)
    try {
      const { value: first } = await batches.next()
      const { session, sections } = parseHeaderLine(first?.[0])
      const { id = session.id } = this.#options
      const row = {
        ...(await this.#transact((rows) => this.#reserve(rows, { ...session, id }))),
        // Timestamps are compared as strings.
        createdAt: new Date(session.createdAt).toISOString(),
        updatedAt: new Date(session.updatedAt).toISOString(),
      }
      try {
        const sectionRows = sections.map(({ name }, index) =>
          createSectionRow(row, checkIdentifier(name, 'section'), index),
        )
        const names = new Set(sectionRows.map(({ name }) => name))
        if (names.size < sectionRows.length) throw invalidLine(1)
        for await (const batch of batches) {
          const parsed = await mapInSlices(batch, (text, index) =>
            parseMessageLine(this.#count + index + 2, text),
          )
          // A transaction may be repeated, but a response is counted once.
          let built: readonly MessageRow[] | undefined
          await this.#transact(async (rows) => {
            await rows.reserveSession?.(row, RESERVATION_MS)
            built ??= await this.#build(rows, row, names, parsed)
            await this.#write(rows, row, built, parsed)
          })
          this.#count += batch.length
          await yieldIfTurnIsLong()
        }
        const heads = sections.map(({ head }) => head)
        return await this.#transact((rows) => this.#finish(rows, row, sectionRows, heads))
      } catch (error) {
        await this.#transact(async (rows) => rows.endReservation?.(row.key, false)).catch(() => undefined)
        throw error
      }
    } finally {
      await batches.return(undefined) // closes the source
    }
  }

  async #reserve(rows: RowTransaction, wanted: Parameters<typeof createSessionRow>[1]): Promise<SessionRow> {
    const row = await createSessionRow({ ...this.#scope, rows }, wanted)
    if (rows.reserveSession === undefined) await rows.putSession(row)
    else await rows.reserveSession(row, RESERVATION_MS)
    return row
  }

  /** Checks the lines of a batch and builds their rows. */
  async #build(
    rows: RowTransaction,
    session: SessionRow,
    names: ReadonlySet<string>,
    lines: readonly ImportedLine[],
  ): Promise<readonly MessageRow[]> {
    const entries = lines.map((line) =>
      this.#isTrusted(line.section) ? line : { ...line, message: toUntrustedEntry(line.message) },
    )
    const ids = entries.map(({ message }) => checkIdentifier(message.id, 'id'))
    const stored = new Set((await rows.nodesById([session.key], ids)).map(({ id }) => id))
    const built: MessageRow[] = []
    for (const { number, section, message } of entries) {
      await yieldIfTurnIsLong()
      const { id, parentId } = message
      const parent = parentId === undefined ? undefined : await this.#findNode(rows, session, parentId)
      const hasKnownParent = parent === undefined ? parentId === undefined : parent.section === section
      if (!names.has(section) || !hasKnownParent || stored.has(id)) throw invalidLine(number)
      stored.add(id)
      const placement = { session: session.key, section, writtenAt: session.updatedAt }
      const row = this.#usageFilter.removeRepeatedUsage(toMessageRow(message, placement, parent))
      built.push(row)
      this.#remember(row)
      if (!this.#isTrusted(section)) this.#untrustedCount += 1
    }
    return built
  }

  async #write(
    rows: RowTransaction,
    { key }: SessionRow,
    built: readonly MessageRow[],
    lines: readonly ImportedLine[],
  ): Promise<void> {
    await rows.insertMessages(built)
    for (const [index, { id }] of built.entries())
      for (const label of lines[index]?.labels ?? [])
        await rows.putLabel({ session: key, message: id, label: checkIdentifier(label, 'label') })
  }

  async #finish(
    rows: RowTransaction,
    session: SessionRow,
    sections: readonly SectionRow[],
    heads: readonly (string | undefined)[],
  ): Promise<ImportedSession> {
    if (rows.endReservation !== undefined) {
      // The id may have been used in the meantime, and the messages removed if the lines took too long.
      await createSessionRow({ ...this.#scope, rows }, session)
      if ((await rows.countMessages(session.key)) !== this.#count) throw importInterrupted()
      await rows.endReservation(session.key, true)
    }
    for (const [index, section] of sections.entries()) {
      const exported = heads[index]
      const id =
        exported === undefined || this.#isTrusted(section.name) ? exported : toUntrustedLogId(exported)
      const head = id === undefined ? undefined : await this.#findNode(rows, session, id)
      if (id !== undefined && head?.section !== section.name) throw invalidLine(1)
      await rows.putSection({ ...section, head: head?.key ?? null })
    }
    await rows.putSession(session)
    return Object.freeze({ ...toSession(session, sections), untrustedLogEntries: this.#untrustedCount })
  }

  #isTrusted(section: string): boolean {
    return this.#options.trustToolCallLog === true || section !== TOOL_CALL_LOG_SECTION
  }

  async #findNode(rows: RowTransaction, { key }: SessionRow, id: string): Promise<NodeRow | undefined> {
    return this.#nodes.get(id) ?? (await rows.nodesById([key], [id]))[0]
  }

  #remember({ body: _body, checksum: _checksum, usage: _usage, ...node }: MessageRow): void {
    if (this.#nodes.size >= MAX_KNOWN_NODES) this.#nodes.delete(this.#nodes.keys().next().value ?? '')
    this.#nodes.set(node.id, node)
  }
}

/** Changes the ids of an entry, so that it does not count as one that this storage has written. */
function toUntrustedEntry(entry: Message): Message {
  const { parentId } = entry
  return {
    ...entry,
    id: toUntrustedLogId(entry.id),
    ...(parentId !== undefined && { parentId: toUntrustedLogId(parentId) }),
  }
}

function importInterrupted(): Error {
  return createConflictError(
    `The import was interrupted: no line arrived for ${RESERVATION_MS / 60_000} minutes`,
    'Import the session again.',
    { retryable: true },
  )
}
