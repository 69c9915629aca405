import { toMessagePath } from '../../canonical/check/repair-results.ts'
import { addRepairMark, markRepaired } from '../../canonical/check/repair-marks.ts'
import { deriveMessageId } from '../../wire/unique-names.ts'
import type { Rule } from '../../canonical/check/rule.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { fitCallId, type CallIdRule, isValidCallId } from './call-ids.ts'
import { fitToolName, isValidToolName, type ToolNameRule } from './tool-names.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'

/** What the user says where a conversation would begin with an answer. */
export const OPENING_TEXT = '(The conversation begins here.)'

/** Instructions aside, the conversation begins with the user. */
export const userFirstRule: Rule = {
  id: 'first-turn',
  severity: 'error',
  summary: 'A conversation begins with the user.',
  check(messages) {
    const at = findMissingOpening(messages)
    return at === undefined
      ? []
      : [
          {
            path: at < messages.length ? toMessagePath({ message: at }) : '',
            message: 'The user says nothing before this',
          },
        ]
  },
  repair(messages, report) {
    const at = findMissingOpening(messages)
    if (at === undefined) return messages
    report({
      rule: userFirstRule.id,
      action: 'added',
      path: at < messages.length ? toMessagePath({ message: at }) : '',
    })
    const first = freezeOwned<Message>({
      id: deriveMessageId(userFirstRule.id, [messages[at]?.id ?? '']),
      role: 'user',
      content: [{ type: 'text', text: OPENING_TEXT }],
      metadata: addRepairMark(userFirstRule.id),
    })
    return [...messages.slice(0, at), first, ...messages.slice(at)]
  },
}

/** Where the user should have said something: before the first answer, or at the end of instructions alone. */
function findMissingOpening(messages: readonly Message[]): number | undefined {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  if (first === -1) return messages.length
  return messages[first]?.role === 'assistant' ? first : undefined
}

/** What can be wrong with a part, and the part mended; undefined for one that goes. */
interface PartRule {
  readonly id: string
  readonly summary: string
  readonly message: string
  readonly isBroken: (part: Part) => boolean
  readonly fix: (part: Part) => Part | undefined
}

/** Text says something. */
export const nonBlankTextRule: Rule = createPartRule({
  id: 'empty-text',
  summary: 'Text is not blank.',
  message: 'The text is blank',
  isBroken: (part) => part.type === 'text' && part.text.trim() === '',
  fix: () => undefined,
})

/** Calls have ids that the provider takes; results follow. */
export function createCallIdRule(rule: CallIdRule): Rule {
  const idOf = (part: Part): string | undefined =>
    part.type === 'tool-call' ? part.id : part.type === 'tool-result' ? part.callId : undefined
  return createPartRule({
    id: 'call-id',
    summary: `Ids of calls are letters, digits, _ and -${Number.isFinite(rule.maxLength) ? `, ${rule.maxLength} at most` : ''}.`,
    message: 'The provider does not take this id of a call',
    isBroken: (part) => !isValidCallId(idOf(part) ?? 'fit', rule),
    fix: (part) =>
      part.type === 'tool-call'
        ? ({ ...part, id: fitCallId(part.id, rule) } satisfies ToolCallPart)
        : part.type === 'tool-result'
          ? ({ ...part, callId: fitCallId(part.callId, rule) } satisfies ToolResultPart)
          : part,
  })
}

/** Calls name tools as the provider takes them. */
export function createToolNameRule(rule: ToolNameRule): Rule {
  return createPartRule({
    id: 'tool-name',
    summary: `Names of tools are ${rule.allowedText ?? 'letters, digits, _ and -'}, ${rule.maxLength} at most.`,
    message: 'The provider does not take this name of a tool',
    isBroken: (part) => isApplicationCall(part) && !isValidToolName(part.name, rule),
    fix: (part) => (part.type === 'tool-call' ? { ...part, name: fitToolName(part.name, rule) } : part),
  })
}

/** A rule about single parts. */
function createPartRule({ id, summary, message, isBroken, fix }: PartRule): Rule {
  return {
    id,
    severity: 'error',
    summary,
    check: (messages) =>
      messages.flatMap(({ content }, at) =>
        (content as readonly Part[]).flatMap((part, index) =>
          isBroken(part) ? [{ path: toMessagePath({ message: at, part: index }), message }] : [],
        ),
      ),
    repair(messages, report) {
      let changed = false
      const mended = messages.map((each, at) => {
        const content = each.content as readonly Part[]
        if (!content.some(isBroken)) return each
        changed = true
        const kept = content.flatMap((part, index) => {
          if (!isBroken(part)) return [part]
          const better = fix(part)
          const action = better === undefined ? 'removed' : 'renamed'
          report({ rule: id, action, path: toMessagePath({ message: at, part: index }) })
          return better ?? []
        })
        return markRepaired(each, id, { content: kept })
      })
      return changed ? mended : messages
    },
  }
}
