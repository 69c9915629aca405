import { isObject, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { listSignificantPaths, readResidueHints } from '../../wire/residue.ts'
import type { Extra } from '../model/extra.ts'
import { toWireKeys } from './field-name.ts'
import { type ForeignLossRule, getForeignLossRule, isMeaningfulHint } from './classify-residue.ts'
import type { ResidueFieldTable } from './residue-field-table.ts'

/** The residue that a target does not write: the fields that are known, and which slots are the target's own. */
export interface ForeignSlotFilter {
  readonly fields: ResidueFieldTable
  isOwn(slot: string): boolean
}

/** Reports the residue in foreign slots of an `extra` at the given path. */
export function reportForeignSlots(
  extra: Extra,
  at: Path,
  foreign: ForeignSlotFilter,
  report: (rule: ForeignLossRule, path: Path) => void,
): void {
  const isUsage = at.parent?.key === 'usage'
  for (const [slot, residue] of Object.entries(extra)) {
    if (foreign.isOwn(slot) || !isObject(residue)) continue
    for (const keys of listSignificantPaths(residue)) {
      const value = valueAt(residue, keys)
      const rule = getForeignLossRule({
        slot,
        keys: toWireKeys(keys),
        value,
        fields: foreign.fields,
        isUsage,
      })
      const path = keys.reduce<Path>((parent, key) => child(parent, key), child(at, slot))
      if (rule !== undefined) report(rule, path)
    }
    for (const name of Object.keys(readResidueHints(residue)))
      if (isMeaningfulHint(foreign.fields, slot, name))
        report('foreign-residue', child(child(child(child(at, slot), '$'), 'hints'), name))
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
