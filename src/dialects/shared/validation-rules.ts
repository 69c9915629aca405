import { toMessagePath } from '../../canonical/check/rule.ts'
import { addRepairMark, markRepaired } from '../../canonical/check/repair-marks.ts'
import { deriveMessageId } from '../../wire/unique-names.ts'
import type { Rule } from '../../canonical/check/rule.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { fitCallId, type CallIdRule, isValidCallId } from './call-ids.ts'
import { fitToolName, isValidToolName, type ToolNameRule } from './tool-names.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'

/** The text of the user message that is added before a leading assistant message. */
export const OPENING_TEXT = '(start of the conversation)'

/** Requires that the first message after the instructions is a user message. */
export const userFirstRule: Rule = {
  id: 'first-turn',
  severity: 'error',
  summary: 'The first message after the instructions must be a user message.',
  check(messages) {
    const index = findMissingOpening(messages)
    return index === undefined
      ? []
      : [
          {
            path: index < messages.length ? toMessagePath({ message: index }) : '',
            message:
              'A user message must come first; the conversation starts with an assistant message or has only instructions',
          },
        ]
  },
  repair(messages, report) {
    const index = findMissingOpening(messages)
    if (index === undefined) return messages
    report({
      rule: userFirstRule.id,
      action: 'added',
      path: index < messages.length ? toMessagePath({ message: index }) : '',
    })
    const first = freezeOwned<Message>({
      id: deriveMessageId(userFirstRule.id, [messages[index]?.id ?? '']),
      role: 'user',
      content: [{ type: 'text', text: OPENING_TEXT }],
      metadata: addRepairMark(userFirstRule.id),
    })
    return [...messages.slice(0, index), first, ...messages.slice(index)]
  },
}

/**
 * Returns the index at which a user message is missing: before the first assistant message, or after
 * instructions alone.
 */
function findMissingOpening(messages: readonly Message[]): number | undefined {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  if (first === -1) return messages.length
  return messages[first]?.role === 'assistant' ? first : undefined
}

/** A rule about single parts; `fix` returns undefined to remove the part. */
interface PartRule {
  readonly id: string
  readonly summary: string
  readonly message: string
  readonly isBroken: (part: Part) => boolean
  readonly fix: (part: Part) => Part | undefined
}

/** Requires that text is not blank. */
export const nonBlankTextRule: Rule = createPartRule({
  id: 'empty-text',
  summary: 'Text parts must not be blank.',
  message: 'The text is blank; the provider requires visible text',
  isBroken: (part) => part.type === 'text' && part.text.trim() === '',
  fix: () => undefined,
})

/** Creates a rule for the ids of calls and results. */
export function createCallIdRule(rule: CallIdRule): Rule {
  const idOf = (part: Part): string | undefined =>
    part.type === 'tool-call' ? part.id : part.type === 'tool-result' ? part.callId : undefined
  return createPartRule({
    id: 'call-id',
    summary: `Call ids must consist of letters, digits, _ and -${Number.isFinite(rule.maxLength) ? `, at most ${rule.maxLength} characters` : ''}.`,
    message: 'The provider does not accept this call id: its characters or its length are not allowed',
    isBroken: (part) => !isValidCallId(idOf(part) ?? 'fit', rule),
    fix: (part) =>
      part.type === 'tool-call'
        ? ({ ...part, id: fitCallId(part.id, rule) } satisfies ToolCallPart)
        : part.type === 'tool-result'
          ? ({ ...part, callId: fitCallId(part.callId, rule) } satisfies ToolResultPart)
          : part,
  })
}

/** Creates a rule for the tool names of calls. */
export function createToolNameRule(rule: ToolNameRule): Rule {
  return createPartRule({
    id: 'tool-name',
    summary: `Tool names must consist of ${rule.allowedText ?? 'letters, digits, _ and -'}, at most ${rule.maxLength} characters.`,
    message: 'The provider does not accept this tool name: its characters or its length are not allowed',
    isBroken: (part) => isApplicationCall(part) && !isValidToolName(part.name, rule),
    fix: (part) => (part.type === 'tool-call' ? { ...part, name: fitToolName(part.name, rule) } : part),
  })
}

/** Creates a rule about single parts. */
function createPartRule({ id, summary, message, isBroken, fix }: PartRule): Rule {
  return {
    id,
    severity: 'error',
    summary,
    check: (messages) =>
      messages.flatMap(({ content }, index) =>
        (content as readonly Part[]).flatMap((part, position) =>
          isBroken(part) ? [{ path: toMessagePath({ message: index, part: position }), message }] : [],
        ),
      ),
    repair(messages, report) {
      let isChanged = false
      const repaired = messages.map((each, index) => {
        const content = each.content as readonly Part[]
        if (!content.some(isBroken)) return each
        isChanged = true
        const fixedContent = content.flatMap((part, position) => {
          if (!isBroken(part)) return [part]
          const fixed = fix(part)
          const action = fixed === undefined ? 'removed' : 'renamed'
          report({ rule: id, action, path: toMessagePath({ message: index, part: position }) })
          return fixed ?? []
        })
        return markRepaired(each, id, { content: fixedContent })
      })
      return isChanged ? repaired : messages
    },
  }
}
