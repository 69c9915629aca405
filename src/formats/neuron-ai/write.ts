import type { Message } from '../../canonical/model/message.ts'
import type { Part, ToolCallPart } from '../../canonical/model/part.ts'
import { toolCallsOf } from '../../canonical/read/message-content.ts'
import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { reportUsageDetails } from '../engine/omitted-fields.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import type { PlacedMessage } from '../engine/message-format.ts'
import { writeBlock } from './blocks.ts'
import { NEURON_SLOT } from './constants.ts'
import { type FindCall, writeCall, writeResult } from './tools.ts'

/** Writes messages of NeuronAI: calls and results are messages of a type of their own. */
export function writeMessages(
  messages: readonly PlacedMessage[],
  report: FormatReporter,
  findEarlierCall: FindCall = () => undefined,
): readonly JsonObject[] {
  const calls = new Map<string, ToolCallPart>()
  const findCall: FindCall = (id) => calls.get(id) ?? findEarlierCall(id)
  return messages.flatMap(({ message, path }): readonly JsonObject[] => {
    for (const call of toolCallsOf(message)) calls.set(call.id, call)
    const results = writeResults(message, path, findCall, report)
    const written = message.role === 'tool' ? undefined : writeMessage(message, path, report)
    if (written === undefined) {
      const wire = { role: 'user', content: [], type: 'tool_call_result', tools: results }
      return [applyResidue(wire, message, NEURON_SLOT)]
    }
    if (results.length === 0) return [written]
    // The result of a call that the provider executed has no place in an answer.
    return [written, { role: 'user', content: [], type: 'tool_call_result', tools: results }]
  })
}

function writeResults(
  message: Message,
  path: Path,
  findCall: FindCall,
  report: FormatReporter,
): readonly JsonObject[] {
  return message.content.flatMap((part: Part, index) => {
    const at = child(child(path, 'content'), index)
    if (part.type === 'tool-result') return [writeResult(part, findCall, at, report)]
    if (message.role === 'tool') report.add('foreign-opaque', at)
    return []
  })
}

function writeMessage(message: Message, path: Path, report: FormatReporter): JsonObject {
  const parts: readonly Part[] = message.content
  const calls = parts.filter((part) => part.type === 'tool-call')
  const lastBlock = parts.findLastIndex((part) => part.type !== 'tool-call' && part.type !== 'tool-result')
  const attachments: JsonObject[] = []
  const blocks = parts.flatMap((part, index): readonly JsonObject[] => {
    const at = child(child(path, 'content'), index)
    if (part.type === 'tool-call' && index < lastBlock) report.add('order-lost', at)
    const block = writeBlock(part, at, report)
    if (block === undefined) return []
    if (getHints(part, NEURON_SLOT).attachment !== true) return [block]
    attachments.push(block)
    return []
  })
  const usage = message.role === 'assistant' ? message.usage : undefined
  if (usage !== undefined) reportUsageDetails(usage, path, report)
  const wire = {
    role: message.role,
    content: writeContent(message, blocks),
    ...(attachments.length > 0 && { attachments }),
    ...(calls.length > 0 && { type: 'tool_call', tools: calls.map(writeCall) }),
    ...(usage && { usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens } }),
  }
  return applyResidue(wire, message, NEURON_SLOT)
}

/** Writes a text of an old version as it was. */
function writeContent(message: Message, blocks: readonly JsonObject[]): Json {
  if (getHints(message, NEURON_SLOT).textContent !== true) return blocks
  if (blocks.length === 0) return ''
  const [only] = blocks
  const isText = blocks.length === 1 && only?.['type'] === 'text' && Object.keys(only).length === 2
  return isText ? (only['content'] as Json) : blocks
}
