import type { Path } from '../../wire/pointer.ts'
import { type Role, ROLES } from '../model/message.ts'
import { fail, quote } from '../shape/shape.ts'

/** Other words for our roles. */
const aliases: ReadonlyMap<unknown, Role> = new Map([
  ['model', 'assistant'],
  ['ai', 'assistant'],
  ['function', 'tool'],
  ['human', 'user'],
])

/** The role of who has none. */
const DEFAULT_ROLE: Role = 'user'

/**
 * One of our roles, from any of the words for it; nothing and the empty string mean `user`.
 *
 * @example
 * parseRole('model') // 'assistant'
 */
export function parseRole(value: unknown, at?: Path): Role {
  if (value === undefined || value === null || value === '') return DEFAULT_ROLE
  const role = ROLES.find((each) => each === value) ?? aliases.get(value)
  if (role !== undefined) return role
  const code = typeof value === 'string' ? 'unknown-role' : 'invalid-type'
  const hint = 'Map the role to one of ours before parsing, and keep your own word in metadata.'
  return fail(code, at, quote(value), `one of ${[...ROLES, ...aliases.keys()].join(', ')}`, hint)
}
