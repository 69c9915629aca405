import { digestText } from '../../wire/digest.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns true for an id that Instructor accepts. */
export function isUuid(id: string): boolean {
  return UUID.test(id)
}

/** Returns the id, or a UUID (version 8) that is derived from it: the same id always has the same UUID. */
export function toUuid(id: string): string {
  if (isUuid(id)) return id
  const digits = digestText(id)
  const variant = ((Number.parseInt(digits.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}
