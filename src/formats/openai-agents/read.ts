import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { attachResidue } from '../../dialects/engine/residue-slots.ts'
import { type JsonObject, readStringOrEmpty } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { silentReporter } from '../engine/format-loss-reporter.ts'
import { MessageCollector } from '../engine/message-collector.ts'
import { keepPart } from '../engine/keep-unknown-values.ts'
import type { ReadingContext, MessagesReader } from '../engine/message-format.ts'
import { requireText } from '../engine/require-fields.ts'
import { AGENTS_SLOT, NAME } from './constants.ts'
import { readContent } from './content.ts'
import { readReasoning } from './reasoning.ts'
import { readCall, readHostedCall, readResult } from './tool-items.ts'
import { writeMessage, writeMessages } from './write.ts'

/** Items that are results of tools, without a canonical form; other unknown items belong to the answer. */
const RESULT_TYPES: ReadonlySet<string> = new Set([
  'computer_call_result',
  'shell_call_output',
  'apply_patch_call_output',
  'program_output',
  'tool_search_output',
])

/** Reads items. Consecutive items of an answer become one message, which contains at most one message item. */
export const readMessages: MessagesReader = (items, path, context) => {
  const collector = new MessageCollector(path, context)
  items.forEach((item, index) => {
    const at = child(path, index)
    switch (readStringOrEmpty(item['type']) || 'message') {
      case 'message':
        if (item['role'] === 'assistant') readAnswerItem(item, at, collector)
        else collector.addMessage(readMessage(item, at, context))
        return
      case 'reasoning':
        collector.addAnswerPart(readReasoning(item, at))
        return
      case 'function_call':
        collector.addAnswerPart(readCall(item, at))
        return
      case 'hosted_tool_call':
        for (const part of readHostedCall(item, at)) if (part !== undefined) collector.addAnswerPart(part)
        return
      case 'function_call_result':
        collector.addResult(readResult(item, at))
        return
    }
    const part = keepPart(NAME, item, at)
    if (RESULT_TYPES.has(readStringOrEmpty(item['type']))) collector.addResult(part)
    else collector.addAnswerPart(part)
  })
  return collector.finish()
}

/** Adds the content of a message item to the open answer. An item without content has no position: it is a message. */
function readAnswerItem(item: JsonObject, path: Path, collector: MessageCollector): void {
  const at = child(path, 'content')
  const content = Array.isArray(item['content'])
    ? item['content']
    : throwWrongType(item['content'], at, 'a list')
  const parts = readContent(content, 'assistant', at)
  if (parts.length === 0) collector.close()
  collector.startAnswer(item['id'], (message) =>
    attachResidue(message as AssistantMessage, AGENTS_SLOT, {}, item, (unit) => restoreItem(unit, path)),
  )
  for (const part of parts) collector.addAnswerPart(part)
  if (parts.length === 0) collector.close()
}

/** Returns the message item that the writer makes of an answer. */
function restoreItem(message: AssistantMessage, path: Path): JsonObject | undefined {
  return writeMessages([{ message, path }], silentReporter).find((item) => item['type'] === 'message')
}

function readMessage(item: JsonObject, path: Path, context: ReadingContext): Message {
  const { id, role, content } = item
  const text = role === 'system' ? requireText(item, 'content', path) : undefined
  const fields = {
    id: context.messageId(id),
    role,
    content: readContent(text ?? content, 'user', child(path, 'content')),
  }
  const message = checkAndFreezeMessage(fields as unknown as Message, path)
  const hints = Array.isArray(content) ? { parts: true } : {}
  return attachResidue(message, AGENTS_SLOT, hints, item, (unit) => writeMessage(unit, path, silentReporter))
}
