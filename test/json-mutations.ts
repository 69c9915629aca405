import fc from 'fast-check'

type Tree = unknown

/** How many places a JSON value has: itself, and whatever stands below it. */
function size(value: Tree): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const each of Object.values(value)) count += size(each)
  return count
}

/** The keys that lead to the place of a number, counted from the outside in. */
function placeAt(value: Tree, number: number): readonly (string | number)[] {
  if (typeof value !== 'object' || value === null || number === 0) return []
  let left = number - 1
  for (const [key, each] of Object.entries(value)) {
    const below = size(each)
    if (left < below) return [Array.isArray(value) ? Number(key) : key, ...placeAt(each, left)]
    left -= below
  }
  return []
}

const replacements: readonly unknown[] = [
  null,
  true,
  0,
  -1.5,
  '',
  'x',
  [],
  {},
  [null],
  { type: 'text' },
  { role: 'user' },
  [[['deep']]],
]

/** One change at one place: removed, retyped, renamed, or nested one level deeper. */
function change(value: Tree, at: readonly (string | number)[], how: number, by: unknown): Tree {
  const [key, ...rest] = at
  if (key === undefined) return how === 3 ? { nested: value } : by
  const copy: Record<string | number, unknown> = (
    Array.isArray(value) ? [...value] : { ...(value as object) }
  ) as never
  if (rest.length > 0) {
    define(copy, key, change(copy[key], rest, how, by))
    return copy
  }
  if (how === 0) Reflect.deleteProperty(copy, key)
  else if (how === 1) define(copy, key, by)
  else if (how === 2) {
    define(copy, `${key}_renamed`, copy[key])
    Reflect.deleteProperty(copy, key)
  } else define(copy, key, { nested: copy[key] })
  return Array.isArray(copy) ? copy.filter((_, index) => index in copy) : copy
}

function define(target: object, key: string | number, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

/** A valid value with one to three mutations, as JSON text would bring it. */
export function mutated<T>(valid: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  const step = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...replacements))
  return fc
    .tuple(valid, fc.array(step, { minLength: 1, maxLength: 3 }))
    .map(([value, steps]) =>
      steps.reduce<unknown>(
        (tree, [where, how, by]) => change(tree, placeAt(tree, where % size(tree)), how, by),
        JSON.parse(JSON.stringify(value)),
      ),
    )
}
