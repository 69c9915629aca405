import { escapeId } from './redis-keys.ts'
import type { RedisRowTransaction } from './redis-row-transaction.ts'
import { encodeLabelRow, encodeMessageRow, encodeSectionRow, encodeSessionRow } from './redis-row-codec.ts'

/**
 * Returns the arguments of the commit script. `version` becomes the version of all sessions of the transaction. It is random:
 * a server that was restored from a backup never repeats one.
 */
export function encodeCommit(transaction: RedisRowTransaction, version: string): readonly string[] {
  const { versions, freeIds } = transaction
  const args = [version, String(versions.size)]
  for (const [session, expected] of versions) args.push(session, expected)
  args.push(String(freeIds.size))
  for (const id of freeIds) args.push(escapeId(id), '')
  for (const change of listChanges(transaction)) for (const arg of change) args.push(arg)
  return args
}

/** Lists the changes in the order in which the script makes them: a removed session takes its rows with it. */
function* listChanges({ changes }: RedisRowTransaction): Generator<readonly string[]> {
  for (const [key, row] of changes.list('message'))
    yield row === undefined ? ['removeMessage', key] : encodeMessageRow(row)
  for (const [key, row] of changes.list('section'))
    yield row === undefined ? ['removeSection', ...splitKey(key)] : encodeSectionRow(row)
  for (const [key, row] of changes.list('label'))
    yield row === undefined ? ['removeLabel', ...splitKey(key)] : encodeLabelRow(row)
  for (const key of changes.removedSessions) yield ['removeSession', key]
  for (const [, row] of changes.list('session')) if (row !== undefined) yield encodeSessionRow(row)
  for (const [session, lease] of changes.leases)
    yield lease === null ? ['removeLease', session] : ['lease', session, JSON.stringify(lease)]
}

/** Returns the names that a composite key consists of. */
function splitKey(key: string): readonly string[] {
  return JSON.parse(key) as readonly string[]
}
