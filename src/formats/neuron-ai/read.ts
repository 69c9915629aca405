import type { Message } from '../../canonical/model/message.ts'
import type { Part, ToolCallPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { toolCallsOf } from '../../canonical/read/message-content.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { checkAndFreezePart, partTypesByContainer } from '../../canonical/shape/part.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { ReadingContext, MessagesReader } from '../engine/message-format.ts'
import { attachMessageResidue } from '../engine/attach-message-residue.ts'
import { readAttachment, readBlock } from './blocks.ts'
import { NAME, NEURON_SLOT } from './constants.ts'
import { type FindCall, readCall, readResult } from './tools.ts'
import { writeMessages } from './write.ts'

/** Reads messages of NeuronAI, each as one message. */
export const readMessages: MessagesReader = (items, path, context) => {
  const calls = new Map<string, ToolCallPart>()
  const findCall: FindCall = (id) => calls.get(id)
  return items.map((wire, index) => {
    const at = child(path, index)
    const message = readMessage(wire, findCall, at, context)
    const hints = typeof wire['content'] === 'string' ? { textContent: true } : {}
    const read = attachMessageResidue(message, NEURON_SLOT, hints, wire, at, (placed, report) =>
      writeMessages(placed, report, findCall),
    )
    for (const call of toolCallsOf(read)) calls.set(call.id, call)
    return read
  })
}

function readMessage(wire: JsonObject, findCall: FindCall, path: Path, context: ReadingContext): Message {
  const { type, content, tools, attachments, usage } = wire
  const isResult = type === 'tool_call_result'
  const role = isResult
    ? 'tool'
    : type === 'tool_call' || wire['role'] === 'model'
      ? 'assistant'
      : wire['role']
  const parts: readonly Part[] = isResult
    ? itemsOf(tools).map((tool, index) => readResult(tool, findCall, child(child(path, 'tools'), index)))
    : [
        ...readContent(content, child(path, 'content')),
        ...itemsOf(attachments).map((each, index) =>
          readAttachment(each, child(child(path, 'attachments'), index)),
        ),
        ...(type === 'tool_call' ? itemsOf(tools) : []).map((tool, index) =>
          readCall(tool, child(child(path, 'tools'), index)),
        ),
      ]
  // A tool message without results, and parts that the role cannot have, are kept as they are.
  const kept = role === 'tool' && !isResult ? 'user' : (role as Message['role'])
  const allowed = parts.map((part) =>
    partTypesByContainer[kept].includes(part.type)
      ? part
      : checkAndFreezePart({ type: 'opaque', dialect: NAME, value: { ...part } as unknown as Json }, path),
  )
  const counts = kept === 'assistant' ? readUsage(usage) : undefined
  const fields = { id: context.messageId(), role: kept, content: allowed, ...(counts && { usage: counts }) }
  return checkAndFreezeMessage(fields as unknown as Message, path)
}

function readContent(content: Json | undefined, path: Path): readonly Part[] {
  if (typeof content === 'string')
    return content === '' ? [] : [checkAndFreezePart({ type: 'text', text: content }, path)]
  return itemsOf(content).map((block, index) => readBlock(block, child(path, index)))
}

function readUsage(usage: Json | undefined): Usage | undefined {
  if (!isObject(usage)) return undefined
  const { input_tokens: inputTokens, output_tokens: outputTokens } = usage
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
}
