import type { ChatRequest } from '../../canonical/model/request.ts'
import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { PlacedConversation } from '../engine/conversation-codec.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { writeFunctionTools } from '../engine/function-tools.ts'
import { getKeptMessage } from '../engine/keep-unknown-values.ts'
import type { PlacedMessage } from '../engine/message-format.ts'
import { toJsonArguments } from '../engine/object-arguments.ts'
import { type PlainTurn, PlainTurnSplitter } from '../engine/plain-turn-splitter.ts'
import { NAME, SHAREGPT_SLOT } from './constants.ts'

/** Returns a request as a conversation to write, without paths of its own. */
export function toPlacedConversation(request: ChatRequest): PlacedConversation {
  const messages = [...request.messages].map((message, index) => ({ message, path: child(undefined, index) }))
  return { request, messages, listPath: undefined }
}

/** Writes a conversation. System text is the first message, unless it was read from a column. */
export function writeRecord({ request, messages }: PlacedConversation, report: FormatReporter): JsonObject {
  const [first] = messages
  const isColumn = first !== undefined && getHints(first.message, SHAREGPT_SLOT).column === true
  const entries = writeEntries(messages, report)
  const { rejected } = getHints(request, SHAREGPT_SLOT)
  const isPair = isObject(rejected) && entries.length > (isColumn ? 1 : 0)
  const tools = writeFunctionTools(request.tools ?? [], report)
  const record = {
    conversations: entries.slice(isColumn ? 1 : 0, isPair ? -1 : undefined),
    ...(isPair && { chosen: entries.at(-1) as Json, rejected }),
    ...(isColumn && { system: entries[0]?.['value'] ?? '' }),
    ...(tools.length > 0 && { tools: JSON.stringify(tools) }),
  }
  return applyResidue(record, request, SHAREGPT_SLOT)
}

/** Writes messages as entries: texts, calls and results are entries of their own. */
export function writeEntries(
  messages: readonly PlacedMessage[],
  report: FormatReporter,
): readonly JsonObject[] {
  const splitter = new PlainTurnSplitter(report, { pairsByOrder: true })
  return messages.flatMap(({ message, path }) => {
    const kept = getKeptMessage(message, NAME)
    if (kept !== undefined) return [kept]
    const role = message.role === 'tool' ? 'assistant' : message.role
    if (message.role === 'developer') report.add('developer-role', child(path, 'role'))
    const turns = splitter.split(message, path)
    const { from, list } = getHints(message, SHAREGPT_SLOT)
    const entries = turns.map((turn) => writeTurn(turn, role, list === true))
    if (message.content.length === 0) entries.push({ from: ROLE_NAMES[role], value: '' })
    const named = entries.map((entry) =>
      typeof from === 'string' && entries.length === 1 ? { ...entry, from } : entry,
    )
    const [first, ...rest] = named
    return first === undefined ? [] : [applyResidue(first, message, SHAREGPT_SLOT), ...rest]
  })
}

const ROLE_NAMES = { system: 'system', developer: 'system', user: 'human', assistant: 'gpt' } as const

function writeTurn(turn: PlainTurn, role: keyof typeof ROLE_NAMES, isList: boolean): JsonObject {
  switch (turn.type) {
    case 'text':
    case 'reasoning':
      return { from: ROLE_NAMES[role], value: turn.texts.join('\n') }
    case 'result':
      return { from: 'observation', value: turn.text }
    case 'calls': {
      const calls = turn.calls.map((call) => ({
        name: call.name,
        arguments: toJsonArguments(call),
      }))
      const [only] = calls
      return { from: 'function_call', value: JSON.stringify(calls.length === 1 && !isList ? only : calls) }
    }
  }
}
