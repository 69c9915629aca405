import { InterlinguaError } from '../../errors.ts'
import { checkOptions } from '../../wire/check-options.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { describeType, getOwnValue, isEqualJson } from '../../wire/json.ts'
import { flavorNames } from './flavor-names.ts'

declare const ownFlavor: unique symbol

/** The name of a flavor that the application defined. */
export type RegisteredFlavor = string & { readonly [ownFlavor]: true }

/**
 * The rows of flavors that applications define, by dialect and name. Names are stored with messages (a host accepted them), so
 * they mean the same everywhere in a process, like those of the built-in flavors.
 */
const rowsByDialect = new Map<string, Map<string, object>>()

/** The flavors of a dialect: the built-in rows, and the facts of a flavor of the application that names no base. */
export interface FlavorTable<Facts extends object> {
  readonly dialect: string
  readonly flavors: { readonly [name: string]: Facts }
  readonly defaults: Facts
}

/** Defines a flavor of the application: the facts of its base, replaced by its own. */
export function registerFlavor<Facts extends object>(
  { dialect, flavors, defaults }: FlavorTable<Facts>,
  name: string,
  definition: Facts & { readonly base?: string },
): RegisteredFlavor {
  return withTypedErrors(() => {
    const { base, ...facts } = definition
    const row = { ...(base === undefined ? defaults : getBase(flavors, base)), ...facts }
    return addFlavor(dialect, name, row, Object.hasOwn(flavors, name))
  }, [name, definition])
}

function getBase<Facts extends object>(flavors: FlavorTable<Facts>['flavors'], base: string): Facts {
  const isText = typeof (base as unknown) === 'string'
  const row = isText ? (getOwnValue(flavors, base) as Facts | undefined) : undefined
  if (row !== undefined) return row
  throw new InterlinguaError('invalid-value', 'The base of a flavor is not a built-in flavor', {
    path: '/base',
    found: isText ? base : describeType(base),
    expected: `one of ${Object.keys(flavors).join(', ')}`,
    hint: 'Omit `base` for a host like most others, and state its facts.',
  })
}

/** Returns the facts of a built-in flavor or of one of the application; undefined for the flavor of another dialect. */
export function findFlavor<Facts extends object>(
  { dialect, flavors }: Omit<FlavorTable<Facts>, 'defaults'>,
  name: string | undefined,
): Facts | undefined {
  if (name === undefined) return undefined
  return (getOwnValue(flavors, name) ?? rowsByDialect.get(dialect)?.get(name)) as Facts | undefined
}

/** Adds the row of a flavor; throws if the name has another row already. */
function addFlavor(dialect: string, name: string, row: object, isBuiltIn: boolean): RegisteredFlavor {
  // The names are listed to all later callers, so a value of another type must not become one.
  if (typeof (name as unknown) !== 'string' || name === '')
    throw new InterlinguaError('invalid-type', `A flavor of ${dialect} needs a name`, {
      path: '/name',
      found: name === '' ? 'an empty name' : describeType(name),
      expected: 'a text that is not empty',
      hint: "Name the host, for example 'my-host'.",
    })
  const rows = rowsByDialect.get(dialect) ?? new Map<string, object>()
  const known = rows.get(name)
  const isOther = known !== undefined && !isEqualJson(known, row)
  if (isBuiltIn || isOther)
    throw new InterlinguaError('invalid-value', `The flavor '${name}' of ${dialect} cannot be defined`, {
      path: '/name',
      found: `a name that ${isBuiltIn ? 'is built in' : 'has other facts'}`,
      expected: 'a name of its own',
      hint: 'Choose another name; a built-in flavor is a base, not a name.',
    })
  rowsByDialect.set(dialect, rows.set(name, Object.freeze(row)))
  return name as RegisteredFlavor
}

const builtInNames: ReadonlySet<unknown> = /* @__PURE__ */ new Set(Object.values(flavorNames).flat())

/** Throws for a name that is a flavor of no dialect. A dialect ignores the flavors of others, so it would ignore the name. */
export function checkFlavor(name: unknown): void {
  if (name === undefined || builtInNames.has(name) || isRegisteredFlavor(name)) return
  const own = [...rowsByDialect.values()].flatMap((rows) => [...rows.keys()])
  const names = [...new Set([...Object.values(flavorNames).flat(), ...own])].toSorted()
  checkOptions('the call', { flavor: name }, { flavor: names })
}

/** Returns true for the name of a flavor that the application defined. */
export function isRegisteredFlavor(name: unknown): name is RegisteredFlavor {
  return typeof name === 'string' && [...rowsByDialect.values()].some((rows) => rows.has(name))
}
