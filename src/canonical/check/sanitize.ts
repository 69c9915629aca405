import { below, type Path, pointer } from '../../wire/pointer.ts'
import type { SanitizeRule } from '../losses/catalog.ts'
import { createLoss } from '../losses/loss.ts'
import type { Loss, Translated } from '../model/loss.ts'
import type { Message, Role } from '../model/message.ts'
import { ownMessage } from '../shape/strict.ts'
import { drops, type SanitizePolicy } from './policy.ts'
import { screenMessage } from './screen.ts'

/** The target of losses that no dialect causes. */
const TARGET = 'interlingua'

const clientRoles: readonly Role[] = ['user', 'assistant', 'tool']

/**
 * Takes out of a conversation what a client could have forged: instructions, signatures, file ids, addresses, residue,
 * unknown blocks, metadata, provenance, and what a provider is said to have run. Use it where history comes from a browser
 * or another party, before anything of it reaches a provider; every removal is a loss with its path in the given list.
 * What is left may lack a call's other half: {@link repair} mends that.
 *
 * @example
 * const { value, losses } = sanitize(parseMessages(body.messages), { urls: (url) => url.hostname === 'cdn.example.com' })
 * // losses: [{ rule: 'untrusted-role', path: '/0', … }]: a system message that the client made up
 */
export function sanitize(
  messages: Iterable<Message>,
  policy: SanitizePolicy = {},
): Translated<readonly Message[]> {
  const { roles = clientRoles, trusted = () => false } = policy
  const losses: Loss[] = []
  const report = (rule: SanitizeRule, at: Path): void => {
    losses.push(createLoss(rule, pointer(at), { dialect: TARGET }))
  }
  const entries = Array.from(messages, (given, index) => {
    const message = ownMessage(given, below(undefined, index))
    const vouched = trusted(message)
    return { message, at: below(undefined, index), vouched, speaks: vouched || roles.includes(message.role) }
  })
  const providerResults = resultsOfProvider(
    entries.filter((entry) => entry.speaks).map((entry) => entry.message),
    policy,
  )
  const kept: Message[] = []
  for (const { message, at, vouched, speaks } of entries) {
    if (!speaks) report('untrusted-role', at)
    const screened = vouched
      ? message
      : speaks && screenMessage(message, at, { policy, providerResults, report })
    if (screened) kept.push(ownMessage(screened, at))
  }
  return Object.freeze({ value: Object.freeze(kept), losses: Object.freeze(losses) })
}

/** Ids under which only a provider's own calls go, so that whatever answers them goes with them. */
function resultsOfProvider(messages: readonly Message[], policy: SanitizePolicy): ReadonlySet<string> {
  if (!drops(policy, 'untrusted-provider-call')) return new Set()
  const parts = messages.flatMap((message) => message.content)
  const calls = parts.filter((part) => part.type === 'tool-call')
  const ours = new Set(calls.filter((call) => call.executedBy === undefined).map((call) => call.id))
  return new Set(calls.map((call) => call.id).filter((id) => !ours.has(id)))
}
