import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import type { MessageRow, SectionRow } from '../rows/row-store.ts'
import type { TenantScope } from './open-session.ts'

/**
 * Copies the messages that a section shares into the section, so that it and its source can change independently. The
 * copies have the same ids, hashes and checksums. Token usage is counted once, with the originals.
 */
export async function unshareSection({ rows }: TenantScope, section: SectionRow): Promise<SectionRow> {
  const { session, name, forkPoint } = section
  if (forkPoint === null) return section
  const shared = await rows.pathTo(forkPoint)
  const keys = new Map(shared.map(({ key }) => [key, createId('m')]))
  const keyOf = (old: string): string => keys.get(old) ?? old
  const parentOf = ({ parent }: MessageRow): string | null => parent && keyOf(parent)
  await rows.insertMessages(
    shared.map((row) => ({ ...row, key: keyOf(row.key), session, parent: parentOf(row), usage: null })),
  )
  for (const { key } of await rows.nodesWithForeignParent(session, name)) {
    const row = await rows.message(key)
    if (row !== undefined) await rows.updateMessages([{ ...row, parent: parentOf(row) }])
  }
  const own = { ...section, forkPoint: null, lineage: [], head: section.head && keyOf(section.head) }
  await rows.putSection(own)
  return own
}

/** Unshares what forks share with a session: everything, or the paths that reach a given depth of a section. */
export async function unshareForks(
  scope: TenantScope,
  session: string,
  from?: { readonly section: string; readonly depth: number },
): Promise<void> {
  const { rows } = scope
  const isAffected = async ({ name, forkPoint }: SectionRow): Promise<boolean> => {
    if (from === undefined || forkPoint === null) return true
    return name === from.section && ((await rows.node(forkPoint))?.depth ?? 0) >= from.depth
  }
  // Before it is locked, a fork may change or be forked itself, so its current state is read again.
  for (let again = true; again;) {
    again = false
    for (const found of await rows.dependentSections(session)) {
      if (!(await isAffected(found))) continue
      again = true
      await rows.sessionByKey(found.session)
      const section = (await rows.sections([found.session])).find(({ name }) => name === found.name)
      if (section !== undefined) await unshareSection(scope, section)
    }
  }
}
