import { below, type Path } from '../../wire/pointer.ts'
import type { SanitizeRule } from '../losses/catalog.ts'
import type { Citation } from '../model/citation.ts'
import type { Message } from '../model/message.ts'
import type { Part, TextPart } from '../model/part.ts'
import { allowsFile, allowsLink, allowsUrl, drops, type SanitizePolicy } from './policy.ts'

/** What is asked of each thing that came from a client. */
export interface Screen {
  readonly policy: SanitizePolicy
  /** Call ids whose results only a provider can have made. */
  readonly providerResults: ReadonlySet<string>
  readonly report: (rule: SanitizeRule, at: Path) => void
}

/** Fields that go by one switch of the policy, wherever they stand: in messages, parts, citations and usage. */
const fields = [
  ['signature', 'untrusted-signature'],
  ['metadata', 'untrusted-metadata'],
  ['extra', 'untrusted-extra'],
  ['origin', 'untrusted-provenance'],
  ['usage', 'untrusted-provenance'],
  ['finish', 'untrusted-provenance'],
] as const

/** The message without what the policy takes away; the same object when that is nothing, undefined when it all went. */
export function screenMessage(message: Message, at: Path, screen: Screen): Message | undefined {
  const parts = message.content as readonly Part[]
  const content = screenList(parts, below(at, 'content'), (part, place) =>
    screenPart(part, place, screen, message),
  )
  if (content.length === 0 && parts.length > 0) {
    screen.report('emptied-message', at)
    return undefined
  }
  const stripped = replace(withoutFields(message, at, screen), 'content', content as Message['content'])
  if (stripped.role !== 'assistant' || stripped.usage === undefined) return stripped
  return replace(stripped, 'usage', withoutFields(stripped.usage, below(at, 'usage'), screen))
}

function screenPart(part: Part, at: Path, screen: Screen, host?: Message): Part | undefined {
  const refused = refusalOf(part, screen, host)
  if (refused !== undefined) {
    screen.report(refused, at)
    return undefined
  }
  const stripped = withoutFields(part, at, screen)
  if (stripped.type === 'tool-result') {
    const inner = screenList<Part>(stripped.content, below(at, 'content'), (each, place) =>
      screenPart(each, place, screen),
    )
    return replace(stripped, 'content', inner as typeof stripped.content)
  }
  return stripped.type === 'text' ? screenCitations(stripped, at, screen) : stripped
}

function screenCitations(part: TextPart, at: Path, screen: Screen): TextPart {
  if (part.citations === undefined) return part
  const citations = screenList(part.citations, below(at, 'citations'), (citation, place) =>
    screenCitation(citation, place, screen),
  )
  const emptied = citations.length === 0 && part.citations.length > 0
  return emptied ? without(part, 'citations') : replace(part, 'citations', citations)
}

/** The rule by which the whole part goes, if any. */
function refusalOf(
  part: Part,
  { policy, providerResults }: Screen,
  host?: Message,
): SanitizeRule | undefined {
  switch (part.type) {
    case 'opaque':
      return drops(policy, 'untrusted-opaque') ? 'untrusted-opaque' : undefined
    case 'reasoning': {
      const hollow = part.redacted || (part.text === '' && part.signature !== undefined)
      return hollow && drops(policy, 'untrusted-signature') ? 'untrusted-signature' : undefined
    }
    case 'tool-call':
      return part.executedBy && drops(policy, 'untrusted-provider-call')
        ? 'untrusted-provider-call'
        : undefined
    case 'tool-result': {
      const provided = host?.role === 'assistant' && drops(policy, 'untrusted-provider-call')
      return provided || providerResults.has(part.callId) ? 'untrusted-provider-call' : undefined
    }
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      if (part.source.kind === 'url') return allowsUrl(policy, part.source.url) ? undefined : 'untrusted-url'
      if (part.source.kind !== 'id') return undefined
      return allowsFile(policy, part.source.id, part.source.provider) ? undefined : 'untrusted-file-id'
    case 'text':
    case 'json':
    case 'refusal':
      return undefined
  }
}

function screenCitation(citation: Citation, at: Path, screen: Screen): Citation | undefined {
  const { policy, report } = screen
  if (citation.type === 'opaque') {
    if (!drops(policy, 'untrusted-opaque')) return citation
    report('untrusted-opaque', at)
    return undefined
  }
  let kept = withoutFields(citation, at, screen)
  if (kept.url !== undefined && !allowsLink(policy, kept.url)) {
    report('untrusted-url', below(at, 'url'))
    kept = without(kept, 'url')
  }
  if (kept.fileId !== undefined && !allowsFile(policy, kept.fileId, '')) {
    report('untrusted-file-id', below(at, 'fileId'))
    kept = without(kept, 'fileId')
  }
  return kept
}

/** What is left of a list; the same one when nothing changed. */
function screenList<T>(
  list: readonly T[],
  at: Path,
  screen: (item: T, at: Path) => T | undefined,
): readonly T[] {
  const kept = list.map((item, index) => screen(item, below(at, index)))
  return kept.every((item, index) => item === list[index]) ? list : kept.filter((item) => item !== undefined)
}

function withoutFields<T extends object>(value: T, at: Path, { policy, report }: Screen): T {
  const taken = fields.filter(([key, rule]) => Object.hasOwn(value, key) && drops(policy, rule))
  for (const [key, rule] of taken) report(rule, below(at, key))
  return taken.reduce((rest, [key]) => without(rest, key), value)
}

/** The rest of an object: only optional keys are ever taken, so it is still of its type. */
function without<T extends object>(value: T, key: string): T {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) as T
}

function replace<T extends object, Key extends keyof T>(value: T, key: Key, next: T[Key]): T {
  return value[key] === next ? value : { ...value, [key]: next }
}
