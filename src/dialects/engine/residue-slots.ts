import type { Extra, HasExtra } from '../../canonical/model/extra.ts'
import { freezeCopy, freezeOwned } from '../../wire/frozen-json.ts'
import { isEmptyObject, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { type EncodeContext, noReport } from './encode-context.ts'
import { hideFromConsole } from '../../wire/hide-from-console.ts'
import { diffResidue } from '../../wire/diff-residue.ts'
import {
  type AliasesByKey,
  type Binding,
  readBoundEntries,
  type Bound,
  changesKey,
  type Hints,
  readResidueHints,
  patchWithResidue,
  type Residue,
} from '../../wire/residue.ts'

function getResidue(unit: HasExtra, slot: string): Residue | undefined {
  return unit.extra !== undefined && Object.hasOwn(unit.extra, slot) ? unit.extra[slot] : undefined
}

declare const hintNames: unique symbol

/** A key of `extra`, typed by the names of the hints that it may contain. */
export type Slot<Name extends string, Key extends string = string> = Key & {
  readonly [hintNames]: (name: Name) => void
}

/** Types a key of `extra` by the names of the hints that it may contain. */
export function defineSlot<Name extends string, Key extends string>(key: Key): Slot<Name, Key> {
  return key as Slot<Name, Key>
}

/** Restricts an object to hints of these names. Another key does not compile, even if a spread adds it. */
export type Only<Values, Name extends string> = Values & {
  readonly [key in Exclude<keyof Values, Name>]: never
}

/** Returns the hints; an object with a key that is no hint of the slot does not compile. */
export function defineHints<Name extends string, const Values extends JsonObject>(
  _slot: Slot<Name>,
  hints: Only<Values, Name>,
): Hints<Name> {
  return hints
}

/** Returns the hints that a unit contains in a slot. */
export function getHints<Name extends string>(unit: HasExtra, slot: Slot<Name>): Hints<Name> {
  return readResidueHints(getResidue(unit, slot)) as Hints<Name>
}

/** Returns an `extra` that contains only these hints. */
export function createHintExtra<Name extends string, const Values extends JsonObject>(
  slot: Slot<Name>,
  hints: Only<Values, Name>,
): Extra {
  return { [slot]: hideFromConsole({ $: { hints } }) }
}

/** Returns the residue of a slot that is bound to the content. */
export function getContentBoundResidue(unit: HasExtra, slot: string): JsonObject {
  return readBoundEntries(getResidue(unit, slot))
}

/**
 * Returns the unit with residue in a slot. The object is assigned, not spread: in Node 20 `{ ...unit, extra
 * }` is ten times slower, because each such object gets a hidden class of its own.
 */
export function withSlot<T extends HasExtra>(unit: T, slot: string, residue: Residue): T {
  return Object.assign({}, unit, { extra: Object.assign({}, unit.extra, { [slot]: residue }) })
}

/** Returns the unit with hints in a slot, if there are any. */
export function withHints<T extends HasExtra, Name extends string, const Values extends JsonObject>(
  unit: T,
  slot: Slot<Name>,
  hints: Only<Values, Name>,
): T {
  return isEmptyObject(hints) ? unit : withSlot(unit, slot, { $: { hints } })
}

/** Returns the unit with hints added to the residue of a slot. */
export function addHints<T extends HasExtra, Name extends string, const Values extends JsonObject>(
  unit: T,
  slot: Slot<Name>,
  added: Only<Values, Name>,
): T {
  const { $: meta, ...plain } = getResidue(unit, slot) ?? {}
  const hints = { ...getHints(unit, slot), ...added }
  return withSlot(unit, slot, { ...plain, $: { ...(isObject(meta) && meta), hints } })
}

/** Returns a residue with these hints only. */
export function withResidueHints(residue: Residue | undefined, hints: JsonObject): Residue {
  if (residue === undefined) return { $: { hints } }
  const { $: meta } = residue
  return { ...residue, $: { ...(isObject(meta) && meta), hints } }
}

/** What is being decoded. Decoding is synchronous, so at most one body or payload is, besides those of callbacks. */
interface DecodedBody {
  readonly isExact: boolean
  /** What the units that are encoded exactly as received were received as. */
  readonly received?: Map<object, JsonObject>
}

const BODY_WITHOUT_RESIDUE: DecodedBody = { isExact: false }

let currentBody: DecodedBody | undefined

/**
 * Decodes a body or a payload of a stream with or without residue: without (`exact: false`), no unit is encoded and compared,
 * and only the hints of its form are kept.
 */
export function decodeWithResidue<T>(isExact: boolean, decode: () => T): T {
  const outer = currentBody
  currentBody = isExact ? { isExact, received: new Map() } : BODY_WITHOUT_RESIDUE
  try {
    return decode()
  } finally {
    currentBody = outer
  }
}

function isResidueOmitted(): boolean {
  return currentBody?.isExact === false
}

/** Notes what a unit with complete residue was received as, so that its body need not encode and compare it again. */
export function noteReceived(unit: object, wire: JsonObject): void {
  currentBody?.received?.set(unit, wire)
}

/**
 * Returns what a unit of the body that is being decoded was received as, for the encoder that finds the residue of the body. How a
 * unit is written depends on the flavor, but not on the model.
 */
export function getReceived(unit: object, { findsResidue, options }: EncodeContext): JsonObject | undefined {
  return findsResidue && options.flavor === undefined ? currentBody?.received?.get(unit) : undefined
}

/** Returns the unit with the difference between its encoding and the received wire value as residue, if they differ. */
export function withResidue<T extends HasExtra, Name extends string, const Values extends JsonObject>(
  unit: T,
  slot: Slot<Name>,
  made: Json | undefined,
  wire: Json,
  hints?: Only<Values, Name>,
  aliases?: AliasesByKey,
  binding?: Binding,
): T {
  if (isResidueOmitted())
    return made === undefined || hints === undefined ? unit : withHints(unit, slot, hints)
  const residue = made === undefined ? undefined : diffResidue(made, wire, hints, aliases, binding)
  return residue === undefined ? unit : withSlot(unit, slot, freezeCopy(residue))
}

/** Returns true if the residue of a unit changes the value of a key of its encoding. */
export function hasChangedKey(unit: HasExtra, slot: string, key: string): boolean {
  return changesKey(getResidue(unit, slot), key)
}

/** Returns true for a unit whose residue changes nothing in its encoding: it consists of hints. */
export function hasOnlyHints(unit: HasExtra, slot: string): boolean {
  const residue = getResidue(unit, slot)
  if (residue === undefined) return true
  for (const key in residue) if (key !== '$') return false
  const { $: meta } = residue
  if (isObject(meta)) for (const group in meta) if (group !== 'hints') return false
  return true
}

/** Applies the residue of a unit to its encoding where the guards of the residue match. */
export function applyResidue<T extends Json>(made: T, unit: HasExtra, slot: string, bound?: Bound): T {
  return patchWithResidue(made, getResidue(unit, slot), bound)
}

/**
 * Returns the frozen unit with its residue: its hints, and the difference between its encoding (which reads the hints)
 * and the wire value. `hintSlot` is the slot of the hints if `slot` is that of one direction.
 */
export function attachResidue<T extends HasExtra, Name extends string, const Values extends JsonObject>(
  unit: T,
  slot: Slot<Name>,
  hints: Only<Values, Name>,
  wire: JsonObject,
  encode: (unit: T, path: undefined, context: EncodeContext) => JsonObject | undefined,
  { hintSlot = slot, aliases }: { readonly hintSlot?: Slot<Name>; readonly aliases?: AliasesByKey } = {},
): T {
  const hinted = withHints(unit, hintSlot, hints)
  if (isResidueOmitted()) return freezeOwned(hinted)
  const made = encode(hinted, undefined, noReport)
  if (made === undefined || slot !== hintSlot)
    return freezeOwned(withResidue(hinted, slot, made, wire, undefined, aliases))
  return freezeOwned(withResidue(unit, slot, made, wire, hints, aliases))
}
