import { STORED_VERSION, toJson } from '../../canonical/stored/stored-form.ts'
import { createConflictError, createDamagedDataError } from '../storage-errors.ts'
import type { MessageRow, NodeRow } from '../rows/row-definitions.ts'
import { messageFromRow } from '../rows/row-hash.ts'
import { mapInSlices } from '../event-loop-turns.ts'
import type { ExportHeader } from './export-format.ts'
import { readLabelsByMessage } from './message-labels.ts'
import { openSession, readNodeByKey, type TenantScope } from './open-session.ts'

/** Number of messages that are read at once. */
const PAGE_SIZE = 500

/** The lines of an export, without the messages: those are read page by page. */
export interface ExportPlan {
  readonly header: string
  /** The messages in the order of their lines: shared ones first, then own ones, parents before children. */
  readonly entries: readonly Pick<MessageRow, 'key' | 'checksum'>[]
  readonly labels: ReadonlyMap<string, readonly string[]>
}

/** Plans the export of a session in one transaction. Only keys are kept, however long the messages are. */
export async function planExport(scope: TenantScope, id: string): Promise<ExportPlan> {
  const opened = await openSession(scope, id)
  const entries: Pick<MessageRow, 'key' | 'checksum'>[] = []
  for (const { forkPoint } of opened.sections) {
    const shared: Pick<MessageRow, 'key' | 'checksum'>[] = []
    for (let end = forkPoint; end !== null;) {
      const page = await scope.rows.pathTo(end, PAGE_SIZE)
      const [first] = page
      if (first === undefined) throw createDamagedDataError('A message on the path is missing')
      for (const { key, checksum } of page.toReversed()) shared.push({ key, checksum })
      end = first.parent
    }
    for (const entry of shared.toReversed()) entries.push(entry)
  }
  for await (const page of scope.rows.ownMessages(opened.row.key))
    for (const { key, checksum } of page) entries.push({ key, checksum })
  const { key: _key, tenant: _tenant, fault: _fault, ...session } = opened.row
  const sections: ExportHeader['sections'][number][] = []
  for (const { name, head } of opened.sections) {
    const node: NodeRow | undefined = await readNodeByKey(scope, head)
    sections.push({ name, ...(node !== undefined && { head: node.id }) })
  }
  const header: ExportHeader = { interlingua: STORED_VERSION, session, sections }
  return { header: JSON.stringify(header), entries, labels: await readLabelsByMessage(opened) }
}

/** Returns the lines of a page of messages; throws if one was changed since the export was planned. */
export async function readExportPage(
  { rows }: TenantScope,
  { entries, labels }: ExportPlan,
  start: number,
): Promise<readonly string[]> {
  const page = entries.slice(start, start + PAGE_SIZE)
  const found = new Map<string, MessageRow>()
  for (const row of await rows.messages(page.map(({ key }) => key))) found.set(row.key, row)
  return mapInSlices(page, ({ key, checksum }) => {
    const row = found.get(key)
    if (row === undefined || row.checksum !== checksum) throw sessionChanged()
    const own = labels.get(row.id)
    const line = { section: row.section, ...toJson(messageFromRow(row)), ...(own && { labels: own }) }
    return JSON.stringify(line)
  })
}

/** Yields the lines of an export. Each page is a transaction of its own, so that a slow reader blocks no writer. */
export async function* exportPages(
  plan: ExportPlan,
  readPage: (plan: ExportPlan, start: number) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  yield plan.header
  for (let start = 0; start < plan.entries.length; start += PAGE_SIZE) yield* await readPage(plan, start)
}

function sessionChanged(): Error {
  return createConflictError(
    'The session was changed during the export: a message was replaced or removed',
    'Export it again. Messages that are appended during an export are no conflict.',
    { retryable: true },
  )
}
