import { parseArguments } from '../../canonical/build/call-arguments.ts'
import type { Message } from '../../canonical/model/message.ts'
import type {
  AssistantPart,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
} from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { attachResidue } from '../../dialects/engine/residue-slots.ts'
import { readStringOrEmpty, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { silentReporter } from '../engine/format-loss-reporter.ts'
import { MessageCollector } from '../engine/message-collector.ts'
import type { ReadingContext, MessagesReader } from '../engine/message-format.ts'
import { readOptionalList, readOptionalText, requireObject, requireText } from '../engine/require-fields.ts'
import { keepMessage } from '../engine/keep-unknown-values.ts'
import { AG_UI_SLOT, NAME } from './constants.ts'
import { readContent } from './content-parts.ts'
import { readMetadata, readOwnFields, signPart } from './own-metadata.ts'
import type { AgUiHintName } from './types.ts'
import { writeCall, writeMessage, writeReasoning, writeToolMessage } from './write.ts'

/** Reads messages of AG-UI. Reasoning belongs to the answer after it; consecutive tool messages become one message. */
export const readMessages: MessagesReader = (items, path, context) => {
  const collector = new MessageCollector(path, context)
  items.forEach((wire, index) => {
    const at = child(path, index)
    switch (readStringOrEmpty(wire['role'])) {
      case 'reasoning':
        collector.addAnswerPart(readReasoning(wire, at))
        return
      case 'tool':
        collector.addResult(readToolMessage(wire, at), wire['id'])
        return
      case 'activity':
        collector.addMessage(keepMessage(NAME, wire, at, context))
        return
      case 'assistant':
        collector.addMessage(readAnswer(wire, collector.takeAnswerParts(), at, context))
        return
    }
    collector.addMessage(readMessage(wire, at, context))
  })
  return collector.finish()
}

function readReasoning(wire: JsonObject, path: Path): ReasoningPart {
  const { summary, redacted } = readOwnFields(wire)
  const part = checkAndFreezePart<ReasoningPart>(
    {
      type: 'reasoning',
      text: requireText(wire, 'content', path),
      ...(summary === true && { summary }),
      ...(redacted === true && { redacted }),
    },
    path,
  )
  const hints = { id: requireText(wire, 'id', path) }
  return attachResidue(signPart(part, wire), AG_UI_SLOT, hints, wire, (unit) =>
    writeReasoning(unit, '', undefined, silentReporter),
  )
}

function readToolMessage(wire: JsonObject, path: Path): ToolResultPart {
  const { content } = wire
  const result: ToolResultPart = {
    type: 'tool-result',
    callId: requireText(wire, 'toolCallId', path),
    content: readContent(content, child(path, 'content')),
    ...(readOptionalText(wire, 'error', path) !== undefined && { isError: true as const }),
  }
  const hints = { id: requireText(wire, 'id', path), ...(Array.isArray(content) && { parts: true }) }
  return attachResidue(checkAndFreezePart(result, path), AG_UI_SLOT, hints, wire, (unit) =>
    writeToolMessage(unit, '', undefined, silentReporter),
  )
}

function readAnswer(
  wire: JsonObject,
  reasoning: readonly AssistantPart[],
  path: Path,
  context: ReadingContext,
): Message {
  const content = readOptionalText(wire, 'content', path) ?? ''
  const calls = readOptionalList(wire, 'toolCalls', path).map((call, index) =>
    readCall(call, child(child(path, 'toolCalls'), index)),
  )
  const text = content === '' ? [] : [checkAndFreezePart({ type: 'text', text: content } as const, path)]
  const hints = reasoning.length > 0 ? { answer: true } : {}
  return createMessage(wire, 'assistant', [...reasoning, ...text, ...calls], hints, path, context)
}

function readCall(wire: Json, path: Path): ToolCallPart {
  const entry = requireObject(wire, path, 'a call')
  const at = child(path, 'function')
  const called = requireObject(entry['function'], at, 'a function')
  const { executedBy } = readOwnFields(entry)
  const call = checkAndFreezePart<ToolCallPart>(
    {
      type: 'tool-call',
      id: requireText(entry, 'id', path),
      name: requireText(called, 'name', at),
      ...parseArguments(requireText(called, 'arguments', at)),
      ...(executedBy === 'provider' && { executedBy }),
    },
    path,
  )
  return attachResidue(signPart(call, entry), AG_UI_SLOT, {}, entry, (unit) =>
    writeCall(unit, undefined, silentReporter),
  )
}

function readMessage(wire: JsonObject, path: Path, context: ReadingContext): Message {
  const { role, content } = wire
  const at = child(path, 'content')
  const text = role === 'user' ? undefined : requireText(wire, 'content', path)
  const parts = readContent(text ?? content, at)
  const hints = Array.isArray(content) ? { parts: true } : {}
  return createMessage(wire, role as Message['role'], parts, hints, path, context)
}

function createMessage(
  wire: JsonObject,
  role: Message['role'],
  content: readonly AssistantPart[],
  hints: { readonly [name in AgUiHintName]?: Json },
  path: Path,
  context: ReadingContext,
): Message {
  const fields = {
    id: context.messageId(wire['id']),
    role,
    content,
    ...omitUndefined({ name: readOptionalText(wire, 'name', path), metadata: readMetadata(wire) }),
  }
  const message = checkAndFreezeMessage(fields as unknown as Message, path)
  return attachResidue(message, AG_UI_SLOT, hints, wire, (unit) => writeMessage(unit, path, silentReporter))
}
