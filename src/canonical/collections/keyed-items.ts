/** A list of objects, found by the value of one of their keys. Absent keys match nothing, not even `undefined`. */
function findPosition<T extends object, K extends keyof T>(items: readonly T[], key: K, value: T[K]): number {
  return value === undefined ? -1 : items.findIndex((item) => item[key] === value)
}

/**
 * The first item whose key has the value.
 *
 * @example
 * getItem(toolCallsOf(message), 'id', 'call_1')
 */
export function getItem<T extends object, K extends keyof T>(
  items: readonly T[],
  key: K,
  value: T[K],
): T | undefined {
  return items[findPosition(items, key, value)]
}

/**
 * Whether some item's key has the value.
 *
 * @example
 * hasItem(request.tools ?? [], 'name', 'weather')
 */
export function hasItem<T extends object, K extends keyof T>(
  items: readonly T[],
  key: K,
  value: T[K],
): boolean {
  return findPosition(items, key, value) !== -1
}

/**
 * The list with an item in the place of the first one whose key has the same value, or at the end.
 *
 * @example
 * setItem(tools, 'name', weatherTool)
 */
export function setItem<T extends object, K extends keyof T>(
  items: readonly T[],
  key: K,
  item: T,
): readonly T[] {
  const at = findPosition(items, key, item[key])
  return Object.freeze(at === -1 ? [...items, item] : items.with(at, item))
}

/**
 * The list without the first item whose key has the value; the same list when there is none.
 *
 * @example
 * removeItem(tools, 'name', 'weather')
 */
export function removeItem<T extends object, K extends keyof T>(
  items: readonly T[],
  key: K,
  value: T[K],
): readonly T[] {
  const at = findPosition(items, key, value)
  return at === -1 ? items : Object.freeze(items.toSpliced(at, 1))
}
