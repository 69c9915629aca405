import { child, type Path } from '../../wire/json-pointer.ts'
import { lazy } from '../../wire/memoize.ts'
import type { SanitizeLossRule } from '../losses/loss-catalog.ts'
import { createLoss } from '../losses/create-loss.ts'
import { sanitizeLossRules } from '../losses/ui-sanitize-agent-loss-rules.ts'
import { buildLossRuleTable } from '../losses/loss-rule-table.ts'
import type { Loss, Translation } from '../model/loss.ts'
import type { Message, Role } from '../model/message.ts'
import {
  checkPolicy,
  findCitationUrlRule,
  findMediaUrlRule,
  isAllowedFileId,
  type SanitizePolicy,
  sanitizePolicyNames,
} from './sanitize-policy.ts'
import type { Citation } from '../model/citation.ts'
import type { MediaSource, Part, TextPart } from '../model/part.ts'
import { isMediaPart } from '../read/message-content.ts'
import { checkAndFreezeMessage } from '../shape/message.ts'
import { checkIterable } from '../shape/shape.ts'
import { callCallback, withTypedErrors } from '../../wire/typed-errors.ts'

/** The policy, and what the conversation and the caller add to it. */
interface SanitizeContext {
  readonly policy: SanitizePolicy
  /** Ids of calls that only a provider can have answered. */
  readonly providerResultIds: ReadonlySet<string>
  readonly report: SanitizeReport
}

/** Reports what was removed. */
export type SanitizeReport = (rule: SanitizeLossRule, path: Path) => void

/** Fields of messages, parts, citations and usage, the option of the policy that keeps them, and the loss rule. */
const OPTIONAL_FIELDS = [
  ['signature', 'signatures', 'untrusted-signature'],
  ['cache', 'cacheHints', 'untrusted-cache-hint'],
  ['metadata', 'metadata', 'untrusted-metadata'],
  ['extra', 'extra', 'untrusted-extra'],
  ['origin', 'provenance', 'untrusted-provenance'],
  ['usage', 'provenance', 'untrusted-provenance'],
  ['finish', 'provenance', 'untrusted-provenance'],
] as const

/** Returns the message without what the policy drops; undefined if nothing is left. */
function sanitizeMessage(message: Message, path: Path, context: SanitizeContext): Message | undefined {
  const parts = message.content as readonly Part[]
  const content = sanitizeList(parts, child(path, 'content'), (part, partPath) =>
    sanitizePart(part, partPath, context, message),
  )
  if (content.length === 0 && parts.length > 0) {
    context.report('emptied-message', path)
    return undefined
  }
  const stripped = replaceKey(dropFields(message, path, context), 'content', content as Message['content'])
  if (stripped.role !== 'assistant' || stripped.usage === undefined) return stripped
  return replaceKey(stripped, 'usage', dropFields(stripped.usage, child(path, 'usage'), context))
}

function sanitizePart(part: Part, path: Path, context: SanitizeContext, host?: Message): Part | undefined {
  const dropRule = findDropRule(part, context, host)
  if (dropRule !== undefined) {
    context.report(dropRule, path)
    return undefined
  }
  const stripped = dropFields(part, path, context)
  if (stripped.type === 'tool-result') {
    const inner = sanitizeList<Part>(stripped.content, child(path, 'content'), (each, partPath) =>
      sanitizePart(each, partPath, context),
    )
    return replaceKey(stripped, 'content', inner as typeof stripped.content)
  }
  return stripped.type === 'text' ? sanitizeCitations(stripped, path, context) : stripped
}

function sanitizeCitations(part: TextPart, path: Path, context: SanitizeContext): TextPart {
  if (part.citations === undefined) return part
  const citations = sanitizeList(part.citations, child(path, 'citations'), (citation, citationPath) =>
    sanitizeCitation(citation, citationPath, context),
  )
  const emptied = citations.length === 0 && part.citations.length > 0
  return emptied ? omitKey(part, 'citations') : replaceKey(part, 'citations', citations)
}

/** Returns the rule by which the entire part is dropped, if any. */
function findDropRule(
  part: Part,
  { policy, providerResultIds }: SanitizeContext,
  host?: Message,
): SanitizeLossRule | undefined {
  if (isMediaPart(part)) return findSourceRule(part.source, policy)
  switch (part.type) {
    case 'opaque':
      return policy.opaque !== 'keep' ? 'untrusted-opaque' : undefined
    case 'reasoning': {
      const hollow = part.redacted || (part.text === '' && part.signature !== undefined)
      return hollow && policy.signatures !== 'keep' ? 'untrusted-signature' : undefined
    }
    case 'tool-call':
      return part.executedBy && policy.providerCalls !== 'keep' ? 'untrusted-provider-call' : undefined
    case 'tool-result': {
      const isProvided = host?.role === 'assistant' && policy.providerCalls !== 'keep'
      if (isProvided || providerResultIds.has(part.callId)) return 'untrusted-provider-call'
      return host?.role === 'tool' && policy.toolResults === 'drop' ? 'untrusted-tool-result' : undefined
    }
    case 'text':
    case 'json':
    case 'refusal':
      return undefined
  }
}

function findSourceRule(source: MediaSource, policy: SanitizePolicy): SanitizeLossRule | undefined {
  if (source.kind === 'url') return findMediaUrlRule(policy, source.url)
  const isAllowed = source.kind !== 'id' || isAllowedFileId(policy, source.id, source.provider)
  return isAllowed ? undefined : 'untrusted-file-id'
}

function sanitizeCitation(citation: Citation, path: Path, context: SanitizeContext): Citation | undefined {
  const { policy, report } = context
  if (citation.type === 'opaque') {
    if (policy.opaque === 'keep') return citation
    report('untrusted-opaque', path)
    return undefined
  }
  let kept = dropFields(citation, path, context)
  const urlRule = kept.url === undefined ? undefined : findCitationUrlRule(policy, kept.url)
  if (urlRule !== undefined) {
    report(urlRule, child(path, 'url'))
    kept = omitKey(kept, 'url')
  }
  if (kept.fileId !== undefined && !isAllowedFileId(policy, kept.fileId, '')) {
    report('untrusted-file-id', child(path, 'fileId'))
    kept = omitKey(kept, 'fileId')
  }
  return kept
}

/** Returns the list of the results that are not undefined; the same list if nothing changed. */
function sanitizeList<T>(
  list: readonly T[],
  path: Path,
  sanitizeItem: (item: T, path: Path) => T | undefined,
): readonly T[] {
  const kept = list.map((item, index) => sanitizeItem(item, child(path, index)))
  return kept.every((item, index) => item === list[index]) ? list : kept.filter((item) => item !== undefined)
}

/** Returns the value without the optional fields that the policy drops. */
export function dropFields<T extends object>(
  value: T,
  path: Path | undefined,
  { policy, report }: Pick<SanitizeContext, 'policy' | 'report'>,
): T {
  const dropped = OPTIONAL_FIELDS.filter(([key, option]) => key in value && policy[option] !== 'keep')
  for (const [key, , rule] of dropped) report(rule, child(path, key))
  return dropped.reduce((rest, [key]) => omitKey(rest, key), value)
}

/** Returns the object without some keys. Only optional keys are removed, so its type stays the same. */
export function omitKey<T extends object>(value: T, key: string): T {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) as T
}

function replaceKey<T extends object, Key extends keyof T>(value: T, key: Key, next: T[Key]): T {
  return value[key] === next ? value : { ...value, [key]: next }
}

const DEFAULT_CLIENT_ROLES: readonly Role[] = ['user', 'assistant', 'tool']

/** Returns the messages without what the policy drops. */
export function sanitizeMessages(
  messages: Iterable<Message>,
  path: Path | undefined,
  policy: SanitizePolicy,
  report: SanitizeReport,
): readonly Message[] {
  const { roles = DEFAULT_CLIENT_ROLES, isTrusted = () => false } = policy
  const entries = Array.from(checkIterable(messages, 'a list of messages'), (given, index) => {
    const messagePath = child(path, index)
    const message = checkAndFreezeMessage(given, messagePath)
    const isKnown = callCallback(() => isTrusted(message))
    return { message, path: messagePath, isKnown, isAllowed: isKnown || roles.includes(message.role) }
  })
  const allowed = entries.filter(({ isAllowed }) => isAllowed).map(({ message }) => message)
  const context = { policy, providerResultIds: findProviderResultIds(allowed, policy), report }
  const kept = entries.flatMap((entry) => {
    if (entry.isKnown) return [entry]
    if (!entry.isAllowed) report('untrusted-role', entry.path)
    const message = entry.isAllowed ? sanitizeMessage(entry.message, entry.path, context) : undefined
    return message === undefined ? [] : [{ ...entry, message: checkAndFreezeMessage(message, entry.path) }]
  })
  if (policy.prefill === 'drop') {
    let last = kept.at(-1)
    while (last?.message.role === 'assistant' && !last.isKnown) {
      report('untrusted-prefill', last.path)
      kept.pop()
      last = kept.at(-1)
    }
  }
  return Object.freeze(kept.map(({ message }) => message))
}

const getLossRules = /* @__PURE__ */ lazy(() => buildLossRuleTable(sanitizeLossRules))

/** Runs a function that removes what the policy drops, and returns its result with the losses that it reports. */
export function collectSanitizeLosses<T>(remove: (report: SanitizeReport) => T): Translation<T> {
  const losses: Loss[] = []
  const value = remove((rule, path) => {
    losses.push(createLoss(getLossRules(), rule, path, { dialect: 'interlingua' }))
  })
  return Object.freeze({ value, losses: Object.freeze(losses) })
}

/**
 * Removes from a conversation what a client could have forged: instructions, signatures, file ids, URLs,
 * cache hints, residue, unknown blocks, metadata, origin and usage, and provider-executed calls. Use it for a history
 * that comes from a browser or another party, before any of it is sent to a provider. Every removal is a loss with
 * its path in the given list. A call may lose its result, or a result its call; {@link repair} fixes that.
 * {@link sanitizeRequest} also sanitizes the settings and tools.
 *
 * @example
 * const { value, losses } = sanitize(parseMessages(body.messages), { urls: (url) => url.hostname === 'cdn.example.com' })
 * // losses: [{ rule: 'untrusted-role', path: '/0', … }]: a system message that the client forged
 */
export function sanitize(
  messages: Iterable<Message>,
  policy: SanitizePolicy = {},
): Translation<readonly Message[]> {
  return withTypedErrors(() => {
    checkPolicy('sanitize', policy, sanitizePolicyNames)
    return collectSanitizeLosses((report) => sanitizeMessages(messages, undefined, policy, report))
  }, [messages, policy])
}

/** Returns the ids that only provider-executed calls have; their results are dropped with them. */
function findProviderResultIds(messages: readonly Message[], policy: SanitizePolicy): ReadonlySet<string> {
  if (policy.providerCalls === 'keep') return new Set()
  const parts = messages.flatMap((message) => message.content)
  const calls = parts.filter((part) => part.type === 'tool-call')
  const ours = new Set(calls.filter((call) => call.executedBy === undefined).map((call) => call.id))
  return new Set(calls.map((call) => call.id).filter((id) => !ours.has(id)))
}
