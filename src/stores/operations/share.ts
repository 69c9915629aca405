import { createId } from '../../canonical/build/identity.ts'
import type { MessageRow, SectionRow } from '../rows/row.ts'
import type { Rows } from '../rows/rows.ts'

/**
 * Gives a section its own copy of what it shares, so that its source, or itself, can be changed without the other. The
 * copy has the same ids, hashes and checksums. Tokens are counted once, with the original.
 */
export async function unshare(rows: Rows, section: SectionRow): Promise<SectionRow> {
  if (section.base === null) return section
  const shared = await rows.path(section.base)
  const keys = new Map(shared.map(({ key }) => [key, createId('m')]))
  const keyOf = (old: string | null): string | null => (old === null ? null : (keys.get(old) ?? old))
  await rows.insert(
    shared.map((row): MessageRow => ({
      ...row,
      key: keys.get(row.key) ?? row.key,
      session: section.session,
      parent: keyOf(row.parent),
      usage: null,
    })),
  )
  for (const { key } of await rows.grafts(section.session, section.name)) {
    const row = await rows.message(key)
    if (row !== undefined) await rows.update([{ ...row, parent: keyOf(row.parent) }])
  }
  const own = { ...section, base: null, lineage: [], leaf: keyOf(section.leaf) }
  await rows.putSection(own)
  return own
}

/** Unshares what forks share with a session: all of it, or what reaches down to some depth of a section. */
export async function unshareDependents(
  rows: Rows,
  session: string,
  from?: { readonly section: string; readonly depth: number },
): Promise<void> {
  for (const section of await rows.dependents(session)) {
    const base = section.base === null ? undefined : await rows.node(section.base)
    const touched = from === undefined || (section.name === from.section && (base?.depth ?? 0) >= from.depth)
    if (!touched) continue
    await rows.sessionByKey(section.session) // nobody else writes to it meanwhile
    await unshare(rows, section)
  }
}
