import fc from 'fast-check'

/** How many different values stand for all of those that laws treat alike, whatever they hold. */
const POOL = 1_000

/**
 * One of many generated values, always a fresh one, as JSON text brings it: plain objects with every key an own one, and no
 * negative zero. A case holds dozens of such values, and making each anew took longer than the laws.
 */
export function pooled<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T> {
  const texts = fc.sample(arbitrary, POOL).map((value) => JSON.stringify(value))
  return fc.constantFrom(...texts).map((text) => JSON.parse(text) as T)
}
