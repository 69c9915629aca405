import type { Agent } from '../agent/agent.ts'
import { applicationCallsOf } from '../agent/assistant-content.ts'
import type { Decisions } from '../agent/resumption.ts'
import type { Decision } from '../agent/tools/decision.ts'
import { isApplicationTool } from '../agent/tools/tool.ts'
import type { Message } from '../canonical/model/message.ts'
import type { ToolCallPart } from '../canonical/model/part.ts'
import { InterlinguaError } from '../errors.ts'
import type { ToolAnswer } from '../formats/shared/tool-answers.ts'

/** The decisions of a client about the open calls of a conversation. */
export interface ClientDecisions {
  readonly decisions: Decisions
  /** Ids of the open calls. */
  readonly openCalls: readonly string[]
  /** Ids of the calls that the user denied. */
  readonly deniedCalls: ReadonlySet<string>
}

/**
 * Selects the answers that belong to the open calls of the last stored message. The output of a tool is accepted only if the
 * client runs the tool: otherwise a client could invent what a tool of the server returned.
 */
export function selectDecisions(
  last: Message | undefined,
  answers: readonly ToolAnswer[],
  agent: Agent,
): ClientDecisions {
  const calls = last === undefined ? [] : applicationCallsOf(last)
  const selected = answers.flatMap((answer) => {
    const call = calls.find((each) => isAnswerTo(answer, each))
    if (call === undefined || !isAllowed(answer, call, agent)) return []
    return [{ call, answer }]
  })
  if (selected.length === 0) throw createNothingToAnswerError()
  const denied = selected.filter(({ answer }) => answer.type === 'approval' && !answer.isApproved)
  return {
    decisions: Object.fromEntries(
      selected.map(({ answer }) => [
        answer.type === 'approval' ? answer.id : answer.callId,
        toDecision(answer),
      ]),
    ),
    openCalls: calls.map(({ id }) => id),
    deniedCalls: new Set(denied.map(({ call }) => call.id)),
  }
}

/** The request for a call of a nested agent has an id that starts with that of the call which runs the agent. */
function isAnswerTo(answer: ToolAnswer, { id }: ToolCallPart): boolean {
  if (answer.type === 'output') return answer.callId === id
  return answer.id === id || answer.id.startsWith(`${id}/`)
}

function isAllowed(answer: ToolAnswer, { name }: ToolCallPart, agent: Agent): boolean {
  const tool = (agent.options.tools ?? []).filter(isApplicationTool).find((each) => each.name === name)
  const isRunByClient = tool !== undefined && tool.run === undefined
  return answer.type === 'approval' ? !isRunByClient : isRunByClient
}

function toDecision(answer: ToolAnswer): Decision {
  if (answer.type === 'output') return { output: answer.output, isError: answer.isError }
  if (answer.isApproved) return 'approve'
  return answer.reason === undefined ? 'deny' : { deny: answer.reason }
}

function createNothingToAnswerError(): InterlinguaError {
  return new InterlinguaError('conflict', 'The request answers no tool call that waits for an answer', {
    found: 'no answer to an open tool call',
    expected: 'a decision about a call that needs approval, or the output of a tool that the client runs',
    hint: 'Load the conversation again: another request may have answered already.',
  })
}

/** Refuses decisions about calls that no storage contains: a client could have invented them. */
export function refuseApprovals(answers: readonly ToolAnswer[], path: string): void {
  if (!answers.some(({ type }) => type === 'approval')) return
  throw new InterlinguaError('unsupported', 'A call cannot be approved without a storage', {
    path,
    found: 'a decision about a call of the client',
    expected: 'a call of a stored conversation',
    hint: 'Pass `storage` to the handler: the calls of a client must not be run.',
  })
}
