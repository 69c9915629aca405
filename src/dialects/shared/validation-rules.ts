import { addRepairMark, markRepaired } from '../../canonical/check/repair-marks.ts'
import { deriveRepairMessageId } from '../../wire/unique-names.ts'
import { createValidationRule, type Rule, toMessagePath } from '../../canonical/check/validation-rule.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { fitCallId, type CallIdRule, isValidCallId } from './call-ids.ts'
import { fitToolName, isValidToolName, type ToolNameRule } from './tool-names.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'

/** The text of the user message that is added before a leading assistant message. */
export const OPENING_USER_TEXT = '(start of the conversation)'

/** Requires that the first message after the instructions is a user message. */
export const userFirstRule: Rule = {
  id: 'first-turn',
  severity: 'error',
  summary: 'The first message after the instructions must be a user message.',
  check(messages) {
    const opening = findMissingOpening(messages)
    const message =
      'A user message must come first; the conversation starts with an assistant message or has only instructions'
    return opening === undefined ? [] : [{ path: opening.path, message }]
  },
  repair(messages, report) {
    const opening = findMissingOpening(messages)
    if (opening === undefined) return messages
    const { index, path } = opening
    report({ rule: userFirstRule.id, action: 'added', path })
    const first = freezeOwned<Message>({
      id: deriveRepairMessageId(userFirstRule.id, [messages[index]?.id ?? '']),
      role: 'user',
      content: [{ type: 'text', text: OPENING_USER_TEXT }],
      metadata: addRepairMark(userFirstRule.id),
    })
    return messages.toSpliced(index, 0, first)
  },
}

/** Finds where a user message is missing: before a leading assistant message, or after instructions alone. */
function findMissingOpening(messages: readonly Message[]): { index: number; path: string } | undefined {
  const index = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  if (index === -1) return { index: messages.length, path: '' }
  return messages[index]?.role === 'assistant'
    ? { index, path: toMessagePath({ message: index }) }
    : undefined
}

/** A rule about single parts; `fix` returns undefined to remove the part. */
interface PartRule extends Pick<Rule, 'id' | 'summary'> {
  readonly message: string
  readonly isBroken: (part: Part) => boolean
  readonly fix: (part: Part) => Part | undefined
}

/** The rule for providers that refuse blank text. */
export const nonBlankTextRule: Rule = createPartRule({
  id: 'empty-text',
  summary: 'Text parts must not be blank.',
  message: 'The text is blank; the provider requires visible text',
  isBroken: (part) => part.type === 'text' && part.text.trim() === '',
  fix: () => undefined,
})

/** Creates a rule for the ids of calls and results. */
export function createCallIdRule(rule: CallIdRule): Rule {
  const lengthText = Number.isFinite(rule.maxLength) ? `, at most ${rule.maxLength} characters` : ''
  return createPartRule({
    id: 'call-id',
    summary: `Call ids must consist of letters, digits, _ and -${lengthText}.`,
    message: 'The provider does not accept this call id: its characters or its length are not allowed',
    isBroken: (part) =>
      (part.type === 'tool-call' && !isValidCallId(part.id, rule)) ||
      (part.type === 'tool-result' && !isValidCallId(part.callId, rule)),
    fix(part) {
      if (part.type === 'tool-call') return { ...part, id: fitCallId(part.id, rule) }
      return part.type === 'tool-result' ? { ...part, callId: fitCallId(part.callId, rule) } : part
    },
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

function createPartRule({ id, summary, message: problem, isBroken, fix }: PartRule): Rule {
  return createValidationRule({
    id,
    severity: 'error',
    summary,
    problem,
    find: (messages) =>
      messages.flatMap(({ content }, message) =>
        (content as readonly Part[]).flatMap((each, part) => (isBroken(each) ? [{ message, part }] : [])),
      ),
    repair: ({ messages, report }) =>
      messages.map((each, message) => {
        const content = each.content as readonly Part[]
        if (!content.some(isBroken)) return each
        const fixedContent = content.flatMap((original, part) => {
          if (!isBroken(original)) return [original]
          const fixed = fix(original)
          report(fixed === undefined ? 'removed' : 'renamed', { message, part })
          return fixed ?? []
        })
        return markRepaired(each, id, { content: fixedContent })
      }),
  })
}
