import { pathTo } from '../../canonical/check/edit.ts'
import { markOf, touched } from '../../canonical/check/mark.ts'
import { derivedId } from '../../canonical/check/names.ts'
import type { Rule } from '../../canonical/check/rule.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { fitId, type IdRule, isFitId } from './ids.ts'
import { fitName, isFit, type NameRule } from './names.ts'
import { isOwnCall } from './own-calls.ts'

/** What the user says where a conversation would begin with an answer. */
export const OPENING = '(The conversation begins here.)'

/** Instructions aside, the conversation begins with the user. */
export const firstTurn: Rule = {
  id: 'first-turn',
  severity: 'error',
  summary: 'A conversation begins with the user.',
  check(messages) {
    const at = opening(messages)
    return at === undefined
      ? []
      : [
          {
            path: at < messages.length ? pathTo({ message: at }) : '',
            message: 'The user says nothing before this',
          },
        ]
  },
  repair(messages, report) {
    const at = opening(messages)
    if (at === undefined) return messages
    report({ rule: firstTurn.id, action: 'added', path: at < messages.length ? pathTo({ message: at }) : '' })
    const first = sealOwn<Message>({
      id: derivedId(firstTurn.id, [messages[at]?.id ?? '']),
      role: 'user',
      content: [{ type: 'text', text: OPENING }],
      metadata: markOf(firstTurn.id),
    })
    return [...messages.slice(0, at), first, ...messages.slice(at)]
  },
}

/** Where the user should have said something: before the first answer, or at the end of instructions alone. */
function opening(messages: readonly Message[]): number | undefined {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  if (first === -1) return messages.length
  return messages[first]?.role === 'assistant' ? first : undefined
}

/** What can be wrong with a part, and the part mended; undefined for one that goes. */
interface PartRule {
  readonly id: string
  readonly summary: string
  readonly message: string
  readonly breaks: (part: Part) => boolean
  readonly mend: (part: Part) => Part | undefined
}

/** Text says something. */
export const emptyText: Rule = partRule({
  id: 'empty-text',
  summary: 'Text is not blank.',
  message: 'The text is blank',
  breaks: (part) => part.type === 'text' && part.text.trim() === '',
  mend: () => undefined,
})

/** Calls have ids that the provider takes; results follow. */
export function callIdRule(rule: IdRule): Rule {
  const idOf = (part: Part): string | undefined =>
    part.type === 'tool-call' ? part.id : part.type === 'tool-result' ? part.callId : undefined
  return partRule({
    id: 'call-id',
    summary: `Ids of calls are letters, digits, _ and -${Number.isFinite(rule.longest) ? `, ${rule.longest} at most` : ''}.`,
    message: 'The provider does not take this id of a call',
    breaks: (part) => !isFitId(idOf(part) ?? 'fit', rule),
    mend: (part) =>
      part.type === 'tool-call'
        ? ({ ...part, id: fitId(part.id, rule) } satisfies ToolCallPart)
        : part.type === 'tool-result'
          ? ({ ...part, callId: fitId(part.callId, rule) } satisfies ToolResultPart)
          : part,
  })
}

/** Calls name tools as the provider takes them. */
export function toolNameRule(rule: NameRule): Rule {
  return partRule({
    id: 'tool-name',
    summary: `Names of tools are ${rule.takes ?? 'letters, digits, _ and -'}, ${rule.longest} at most.`,
    message: 'The provider does not take this name of a tool',
    breaks: (part) => isOwnCall(part) && !isFit(part.name, rule),
    mend: (part) => (part.type === 'tool-call' ? { ...part, name: fitName(part.name, rule) } : part),
  })
}

/** A rule about single parts. */
function partRule({ id, summary, message, breaks, mend }: PartRule): Rule {
  return {
    id,
    severity: 'error',
    summary,
    check: (messages) =>
      messages.flatMap(({ content }, at) =>
        (content as readonly Part[]).flatMap((part, index) =>
          breaks(part) ? [{ path: pathTo({ message: at, part: index }), message }] : [],
        ),
      ),
    repair(messages, report) {
      let changed = false
      const mended = messages.map((each, at) => {
        const content = each.content as readonly Part[]
        if (!content.some(breaks)) return each
        changed = true
        const kept = content.flatMap((part, index) => {
          if (!breaks(part)) return [part]
          const better = mend(part)
          const action = better === undefined ? 'removed' : 'renamed'
          report({ rule: id, action, path: pathTo({ message: at, part: index }) })
          return better ?? []
        })
        return touched(each, id, { content: kept })
      })
      return changed ? mended : messages
    },
  }
}
