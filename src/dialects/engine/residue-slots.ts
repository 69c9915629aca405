import type { Extra } from '../../canonical/model/extra.ts'
import { freezeCopy, freezeOwned } from '../../wire/frozen-json.ts'
import { isEmptyObject, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { hideWhenPrinted } from '../../wire/inspect.ts'
import {
  type KeyAliases,
  type Binding,
  boundEntriesOf,
  type Bound,
  diffResidue,
  type Hints,
  hintsOf,
  patchResidue,
  type Residue,
} from '../../wire/residue.ts'

/** Anything that keeps what one wire format adds: a request, a message, a part, a tool, a usage… */
export interface HasExtra {
  readonly extra?: Extra
}

/** What a unit keeps for a slot. */
function getResidue(unit: HasExtra, slot: string): Residue | undefined {
  return unit.extra !== undefined && Object.hasOwn(unit.extra, slot) ? unit.extra[slot] : undefined
}

declare const hintNames: unique symbol

/** A key of `extra`, typed by the names of the hints that it may contain. */
export type Slot<Name extends string, Key extends string = string> = Key & {
  readonly [hintNames]: (name: Name) => void
}

/** Returns a key of `extra` as a slot. */
export function slotOf<Name extends string, Key extends string>(key: Key): Slot<Name, Key> {
  return key as Slot<Name, Key>
}

/** Hints of these names only: an object with any other key does not compile, also where it is spread together. */
type Only<Given, Name extends string> = Given & { readonly [key in Exclude<keyof Given, Name>]: never }

/** Returns the hints; an object with a key that is no hint of the slot does not compile. */
export function hintsIn<Name extends string, const Given extends JsonObject>(
  _slot: Slot<Name>,
  hints: Only<Given, Name>,
): Hints<Name> {
  return hints
}

/** Returns the hints that a unit contains in a slot. */
export function getHints<Name extends string>(unit: HasExtra, slot: Slot<Name>): Hints<Name> {
  return hintsOf(getResidue(unit, slot)) as Hints<Name>
}

/** Returns an `extra` that contains only these hints. */
export function hintedExtra<Name extends string, const Given extends JsonObject>(
  slot: Slot<Name>,
  hints: Only<Given, Name>,
): Extra {
  return { [slot]: hideWhenPrinted({ $: { hints } }) }
}

/** What a unit keeps for a slot that vouches for its content. */
export function getBoundResidue(unit: HasExtra, slot: string): JsonObject {
  return boundEntriesOf(getResidue(unit, slot))
}

/**
 * The unit with a residue in a slot. It is assigned, not spread: Node 20 takes ten times as long for `{ ...unit, extra }`,
 * since it gives each such object a hidden class of its own.
 */
export function withSlot<T extends HasExtra>(unit: T, slot: string, residue: Residue): T {
  return Object.assign({}, unit, { extra: Object.assign({}, unit.extra, { [slot]: residue }) })
}

/** The unit with form hints for a slot, if there are any. */
export function withHints<T extends HasExtra, Name extends string, const Given extends JsonObject>(
  unit: T,
  slot: Slot<Name>,
  hints: Only<Given, Name>,
): T {
  return isEmptyObject(hints) ? unit : withSlot(unit, slot, { $: { hints } })
}

/** The unit with further form hints beside what it keeps for a slot. */
export function addHints<T extends HasExtra, Name extends string, const Given extends JsonObject>(
  unit: T,
  slot: Slot<Name>,
  added: Only<Given, Name>,
): T {
  const { $: meta, ...plain } = getResidue(unit, slot) ?? {}
  const hints = { ...getHints(unit, slot), ...added }
  return withSlot(unit, slot, { ...plain, $: { ...(isObject(meta) && meta), hints } })
}

/** The unit with the difference between what its plain encoding says and what came, if there is one. */
export function withResidue<T extends HasExtra, Name extends string, const Given extends JsonObject>(
  unit: T,
  slot: Slot<Name>,
  made: Json | undefined,
  wire: Json,
  hints?: Only<Given, Name>,
  aliases?: KeyAliases,
  binding?: Binding,
): T {
  const residue = made === undefined ? undefined : diffResidue(made, wire, hints, aliases, binding)
  return residue === undefined ? unit : withSlot(unit, slot, freezeCopy(residue))
}

/** The plain encoding of a unit with its residue applied where the guards hold. */
export function applyResidue<T extends Json>(made: T, unit: HasExtra, slot: string, bound?: Bound): T {
  return patchResidue(made, getResidue(unit, slot), bound)
}

/**
 * The unit as it is kept: its form hints in one slot, and whatever else its encoding (which reads the hints) does not say
 * in the slot of its direction. Sealed.
 */
export function attachResidue<T extends HasExtra, Name extends string, const Given extends JsonObject>(
  unit: T,
  hintSlot: Slot<Name>,
  slot: Slot<Name>,
  hints: Only<Given, Name>,
  wire: JsonObject,
  encode: (unit: T) => JsonObject | undefined,
  aliases?: KeyAliases,
): T {
  const hinted = withHints(unit, hintSlot, hints)
  const made = encode(hinted)
  if (made === undefined || slot !== hintSlot)
    return freezeOwned(withResidue(hinted, slot, made, wire, undefined, aliases))
  return freezeOwned(withResidue(unit, slot, made, wire, hints, aliases))
}
