/** Returns both lists as one: the list itself if the other one is empty, as in most chunks of a stream. */
export function joinLists<T>(list: readonly T[], more: readonly T[]): readonly T[] {
  if (more.length === 0) return list
  return list.length === 0 ? more : [...list, ...more]
}

/** Returns the results of all items as one list: the result itself for a single item, as in most chunks of a stream. */
export function joinEach<Item, T>(items: readonly Item[], read: (item: Item) => readonly T[]): readonly T[] {
  if (items.length === 0) return []
  return items.length === 1 ? read(items[0] as Item) : items.flatMap((item) => read(item))
}
