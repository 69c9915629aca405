import { withTypedErrors } from '../../wire/typed-errors.ts'
import { isObject, getOwnValue } from '../../wire/json.ts'
import { type Message, type Role, ROLES } from '../model/message.ts'
import type { Part } from '../model/part.ts'
import { messageShape } from '../shape/message.ts'
import type { Shape } from '../shape/shape.ts'
import { partShape } from '../shape/part.ts'
import { readCanonicalValue } from '../shape/shape.ts'

function isOfShape<T>(shape: Shape<T>, value: unknown): value is T {
  try {
    readCanonicalValue(shape, value)
    return true
  } catch {
    // A getter may throw anything: the value is not what it should be.
    return false
  }
}

/**
 * Returns true for one of the five roles.
 *
 * @example
 * isRole('user') // true
 */
export function isRole(value: unknown): value is Role {
  return ROLES.some((role) => role === value)
}

/**
 * Returns true for the roles that instruct the model: system and developer.
 *
 * @example
 * isSystemRole('developer') // true
 */
export function isSystemRole(role: Role): role is 'system' | 'developer' {
  return role === 'system' || role === 'developer'
}

/**
 * Returns true for a part in canonical form; every field is checked.
 *
 * @example
 * isPart({ type: 'text', text: 'Hello' }) // true
 */
export function isPart(value: unknown): value is Part {
  return isOfShape(partShape, value)
}

/**
 * Returns true for a message in canonical form; every field is checked. See also {@link isMessageLike}.
 *
 * @example
 * isMessage(user('Hello')) // true
 * isMessage({ role: 'user', content: 'Hello' }) // false: no id, and content is not structured
 */
export function isMessage(value: unknown): value is Message {
  return isOfShape(messageShape, value)
}

const CONTENT_KEYS = 'content metadata _metadata tool_calls tool_call_id call_id tool_result'.split(' ')

/**
 * Returns true for an object that `parseMessage` reads as a message: it has a role, and content or metadata.
 *
 * @example
 * isMessageLike({ role: 'assistant', content: null, tool_calls: [] }) // true
 */
export function isMessageLike(value: unknown): boolean {
  return withTypedErrors(() => {
    if (!isObject(value) || getOwnValue(value, 'role') === undefined) return false
    return CONTENT_KEYS.some((key) => Object.hasOwn(value, key))
  }, [value])
}
