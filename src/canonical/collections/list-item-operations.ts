import { withTypedErrors } from '../../wire/typed-errors.ts'

/** Returns the position of the item whose key has the value; an absent key matches nothing. */
function findPosition<T, K extends keyof T>(items: readonly T[], key: K, value: T[K]): number {
  return value === undefined ? -1 : items.findIndex((item) => item[key] === value)
}

/**
 * Returns the first item whose key has the value.
 *
 * @example
 * getItem(toolCallsOf(message), 'id', 'call_1')
 */
export function getItem<T, K extends keyof T>(items: readonly T[], key: K, value: T[K]): T | undefined {
  return withTypedErrors(() => items[findPosition(items, key, value)], [items, key, value])
}

/**
 * Returns true if the key of an item has the value.
 *
 * @example
 * hasItem(request.tools ?? [], 'name', 'weather')
 */
export function hasItem<T, K extends keyof T>(items: readonly T[], key: K, value: T[K]): boolean {
  return withTypedErrors(() => findPosition(items, key, value) !== -1, [items, key, value])
}

/**
 * Returns the list with the item in place of the first one whose key has the same value, or at the end.
 *
 * @example
 * setItem(tools, 'name', weatherTool)
 */
export function setItem<T, K extends keyof T>(items: readonly T[], key: K, item: T): readonly T[] {
  return withTypedErrors(() => {
    const at = findPosition(items, key, item[key])
    return Object.freeze(at === -1 ? [...items, item] : items.with(at, item))
  }, [items, key, item])
}

/**
 * Returns the list without the first item whose key has the value; the same list if none exists.
 *
 * @example
 * removeItem(tools, 'name', 'weather')
 */
export function removeItem<T, K extends keyof T>(items: readonly T[], key: K, value: T[K]): readonly T[] {
  return withTypedErrors(() => {
    const at = findPosition(items, key, value)
    return at === -1 ? items : Object.freeze(items.toSpliced(at, 1))
  }, [items, key, value])
}
