import { isObject, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { listResiduePaths } from '../../wire/residue.ts'
import type { Extra } from '../model/extra.ts'
import { wireKeys } from './field-name.ts'
import { type ForeignRule, foreignRule } from './foreign-metadata.ts'

/** The residue that a target does not write: in which direction, and which slots are its own. */
export interface ForeignSlots {
  readonly direction: 'request' | 'response'
  isOwn(slot: string): boolean
}

/** Reports the residue in foreign slots of an `extra` at the given path. */
export function reportResidue(
  extra: Extra,
  at: Path,
  foreign: ForeignSlots,
  report: (rule: ForeignRule, path: Path) => void,
): void {
  const isUsage = at.parent?.key === 'usage'
  for (const [slot, residue] of Object.entries(extra)) {
    if (foreign.isOwn(slot) || !isObject(residue)) continue
    for (const keys of listResiduePaths(residue)) {
      const value = valueAt(residue, keys)
      const rule = foreignRule({ slot, keys: wireKeys(keys), value, direction: foreign.direction, isUsage })
      const path = keys.reduce<Path>((parent, key) => child(parent, key), child(at, slot))
      if (rule !== undefined) report(rule, path)
    }
  }
}

/**
 * Returns the wire value at keys into residue. A value that replaces or is bound to another one is stored
 * after its digest.
 */
function valueAt(residue: JsonObject, keys: readonly string[]): unknown {
  const found = keys.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), residue)
  return keys.at(-3) === '$' && Array.isArray(found) ? found[1] : found
}
