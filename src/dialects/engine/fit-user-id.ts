import type { ChatRequest } from '../../canonical/model/request.ts'
import { digestText } from '../../wire/digest.ts'
import { child } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { EncodeContext } from './encode-context.ts'
import type { EngineHint } from './residue-hints.ts'

/** The user ids that a host accepts. */
export interface UserIdRule {
  readonly minLength?: number
  readonly maxLength: number
  /** Matches the ids that the host accepts. */
  readonly pattern?: RegExp
  /** Matches ids that the host refuses, such as e-mail addresses. */
  readonly refused?: RegExp
}

/** Replaces a user id that the host refuses by a digest of it, which is the same for each request of the user. */
export function fitUserId(
  request: ChatRequest,
  rule: UserIdRule | undefined,
  hints: Hints<EngineHint>,
  context: EncodeContext,
): ChatRequest {
  const { user } = request
  if (user === undefined || rule === undefined || isAccepted(user, rule)) return request
  if (hints['acceptedUser'] === digestUserId(user)) return request
  context.report('user-digest', child(undefined, 'user'))
  return { ...request, user: digestUserId(user) }
}

/** Creates the hint for a received user id that breaks the rule of the host. */
export function createUserIdHint({ user }: ChatRequest, rule: UserIdRule): Hints<EngineHint> {
  return user === undefined || isAccepted(user, rule) ? {} : { acceptedUser: digestUserId(user) }
}

function isAccepted(id: string, { minLength = 0, maxLength, pattern, refused }: UserIdRule): boolean {
  return (
    id.length >= minLength &&
    id.length <= maxLength &&
    pattern?.test(id) !== false &&
    refused?.test(id) !== true
  )
}

/** Returns a digest in the characters and the length that every known host accepts. */
function digestUserId(id: string): string {
  return `user_${digestText(id).slice(0, 32)}`
}
