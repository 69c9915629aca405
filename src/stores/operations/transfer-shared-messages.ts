import type { MessageTreePosition, SectionRow } from '../rows/row-definitions.ts'
import { yieldIfTurnIsLong } from '../event-loop-turns.ts'
import type { TenantScope } from './open-session.ts'

/**
 * Transfers those of a session's messages that its forks share to the forks, so that the session can change or remove
 * the others. `nodes` are messages of the session, by key, together with all their descendants in the session. Returns
 * the keys of the transferred ones.
 *
 * A transferred message keeps its key. Every parent, head and fork point that refers to it therefore stays valid, also
 * in forks of forks, and a fork of any length costs one changed column per message.
 */
export async function transferSharedMessages(
  scope: TenantScope,
  session: string,
  nodes: ReadonlyMap<string, MessageTreePosition>,
): Promise<ReadonlySet<string>> {
  const isDirect = ({ lineage, forkPoint }: SectionRow): boolean =>
    lineage[0] === session && nodes.has(forkPoint ?? '')
  if (!(await scope.rows.dependentSections(session)).some(isDirect)) return new Set()
  const dependents = await lockDependentSections(scope, session)
  const depthOf = ({ forkPoint }: SectionRow): number => nodes.get(forkPoint ?? '')?.depth ?? 0
  // The longest path first: forks of a part of it then share it with its new owner, and need no messages of their own.
  const direct = dependents.filter(isDirect).toSorted((a, b) => depthOf(b) - depthOf(a))
  const transferred = new Set<string>()
  for (const section of direct) {
    const keys: string[] = []
    let next = section.forkPoint
    for (let node = nodes.get(next ?? ''); node !== undefined && !transferred.has(node.key);) {
      await yieldIfTurnIsLong()
      transferred.add(node.key)
      keys.push(node.key)
      next = node.parent
      node = nodes.get(next ?? '')
    }
    if (keys.length === 0) continue
    await scope.rows.transferMessages(keys, section.session)
    await scope.rows.putSection({ ...section, forkPoint: next })
  }
  await updateLineages(scope, dependents)
  return transferred
}

/** Transfers what forks share of all messages of a session, or of one section, before they are removed. */
export async function transferOwnMessages(
  scope: TenantScope,
  session: string,
  section?: string,
): Promise<void> {
  const { rows } = scope
  const isAffected = ({ name }: { readonly name: string }): boolean =>
    section === undefined || name === section
  if (!(await rows.dependentSections(session)).some(isAffected)) return
  const nodes = new Map<string, MessageTreePosition>()
  for await (const page of rows.ownPositions(session))
    for (const node of page) if (isAffected({ name: node.section })) nodes.set(node.key, node)
  await transferSharedMessages(scope, session, nodes)
}

/** Locks all forks of a session, and their forks, and returns their sections. */
async function lockDependentSections(scope: TenantScope, session: string): Promise<readonly SectionRow[]> {
  return scope.rows.sections(await listDependentSessions(scope, session))
}

/** Returns the keys of all forks of a session, and of their forks. In a write transaction, they are locked. */
export async function listDependentSessions(
  { rows }: TenantScope,
  session: string,
): Promise<readonly string[]> {
  const owners = new Set([session])
  const locked = new Set([session])
  let known = 0
  // While a fork is locked, it may still have been forked by the transaction that held it: its fork shares the messages
  // of an owner that was asked before. All are locked when a pass finds no other.
  while (owners.size > known) {
    known = owners.size
    for (const owner of owners) {
      if (!locked.has(owner)) await rows.sessionByKey(owner)
      locked.add(owner)
      for (const dependent of await rows.dependentSections(owner)) owners.add(dependent.session)
    }
  }
  return [...owners].slice(1)
}

/** Updates the lineages of sections after messages that they share were transferred. */
async function updateLineages({ rows }: TenantScope, sections: readonly SectionRow[]): Promise<void> {
  const current = await rows.sections([...new Set(sections.map(({ session }) => session))])
  const known = new Map(current.map((section) => [`${section.session} ${section.name}`, section]))
  const findSection = async (session: string, name: string): Promise<SectionRow | undefined> => {
    const key = `${session} ${name}`
    const section = known.get(key) ?? (await rows.sections([session])).find((each) => each.name === name)
    if (section !== undefined) known.set(key, section)
    return section
  }
  const ownersByForkPoint = new Map<string, string | undefined>()
  for (const section of current) {
    const lineage = new Set<string>()
    let next: SectionRow | undefined = section
    while (next !== undefined && next.forkPoint !== null) {
      const { forkPoint }: SectionRow = next
      if (!ownersByForkPoint.has(forkPoint))
        ownersByForkPoint.set(forkPoint, (await rows.node(forkPoint))?.session)
      const owner = ownersByForkPoint.get(forkPoint)
      if (owner === undefined || lineage.has(owner)) break
      lineage.add(owner)
      next = await findSection(owner, section.name)
    }
    if ([...lineage].join() !== section.lineage.join())
      await rows.putSection({ ...section, lineage: [...lineage] })
  }
}
