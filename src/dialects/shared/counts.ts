import { isObject, ownValue } from '../../wire/json.ts'

/** A number that a usage says below a group of details; undefined where it does not. */
export function countIn(wire: object, group: string, key: string): number | undefined {
  const details = ownValue(wire, group)
  const value = isObject(details) ? details[key] : undefined
  return typeof value === 'number' ? value : undefined
}
