import fc from 'fast-check'
import { countValues, findPath, REPLACEMENTS } from '../src/dialects/testing/random.ts'

type Tree = unknown

/** One change at one place: removed, retyped, renamed, or nested one level deeper. */
function change(value: Tree, at: readonly string[], how: number, by: unknown): Tree {
  const [key, ...rest] = at
  if (key === undefined) return how === 3 ? { nested: value } : by
  const copy: Record<string, unknown> = (
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

function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

/** A valid value with one to three mutations, as JSON text would bring it. */
export function mutated<T>(valid: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  const step = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...REPLACEMENTS))
  return fc
    .tuple(valid, fc.array(step, { minLength: 1, maxLength: 3 }))
    .map(([value, steps]) =>
      steps.reduce<unknown>(
        (tree, [where, how, by]) => change(tree, findPath(tree, where % countValues(tree)), how, by),
        JSON.parse(JSON.stringify(value)),
      ),
    )
}
