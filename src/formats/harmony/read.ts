import { type CallArguments, parseArguments } from '../../canonical/build/call-arguments.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { TextPart, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { FunctionTool } from '../../canonical/model/tool.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { attachResidue, withHints } from '../../dialects/engine/residue-slots.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { CallIdAssigner } from '../engine/call-id-assigner.ts'
import type { ConversationContent } from '../engine/conversation-codec.ts'
import { silentReporter } from '../engine/format-loss-reporter.ts'
import { keepMessage } from '../engine/keep-unknown-values.ts'
import { MessageCollector } from '../engine/message-collector.ts'
import type { ReadingContext } from '../engine/message-format.ts'
import { requireText } from '../engine/require-fields.ts'
import { HARMONY_SLOT, markerEscapes, NAME, NAMESPACE } from './constants.ts'
import { readDeveloperContent } from './developer-message.ts'
import { isHeader, readEffort } from './message-header.ts'
import { type HarmonyMessage, readHeaderWord, splitMessages } from './messages.ts'
import { writeRecord } from './write.ts'

/** Reads a conversation. The system message that describes the model is the header; its effort is that of the request. */
export function readRecord(
  record: JsonObject,
  path: Path | undefined,
  context: ReadingContext,
): ConversationContent {
  const at = child(path, 'text')
  const wire = splitMessages(requireText(record, 'text', path ?? at), at)
  const [first] = wire
  const header = first?.role === 'system' && isHeader(first.content) ? first.content : undefined
  const reader = new MessageReader(at, context)
  wire.slice(header === undefined ? 0 : 1).forEach((message, index) => reader.read(message, child(at, index)))
  const messages = reader.finish()
  const effort = header === undefined ? undefined : readEffort(header)
  const request: ChatRequest = {
    messages: Object.freeze(messages),
    ...(reader.tools.length > 0 && { tools: reader.tools }),
    ...(effort !== undefined && { reasoning: { effort } }),
  }
  const placed = messages.map((message, index) => ({ message, path: child(undefined, index) }))
  const hints = { header: header === undefined ? '' : markerEscapes.unescape(header) }
  const isDefault = writeText(request, placed) === record['text']
  return {
    request: attachResidue(request, HARMONY_SLOT, isDefault ? {} : hints, record, (unit) =>
      writeRecord({ request: unit, messages: placed, listPath: undefined }, silentReporter),
    ),
  }
}

function writeText(request: ChatRequest, messages: Parameters<typeof writeRecord>[0]['messages']): unknown {
  return writeRecord({ request, messages, listPath: undefined }, silentReporter)['text']
}

/** Recipients that are no tools. */
const PEOPLE: readonly string[] = ['user', 'all', 'assistant']

/** Reads messages one after another. The parts of an answer, up to its final text, are one message. */
class MessageReader {
  readonly #context: ReadingContext
  readonly #collector: MessageCollector
  readonly #pairing = new CallIdAssigner()
  tools: readonly FunctionTool[] = []

  constructor(path: Path, context: ReadingContext) {
    this.#context = context
    this.#collector = new MessageCollector(path, context)
  }

  finish(): readonly Message[] {
    return this.#collector.finish()
  }

  read(message: HarmonyMessage, path: Path): void {
    const { role, recipient, content } = message
    if (role === 'assistant') this.#readAnswer(message)
    else if (role === 'tool' || recipient === 'assistant' || role.startsWith(`${NAMESPACE}.`))
      this.#readResult(message)
    else if (role === 'developer') this.#readDeveloper(content, path)
    else if (role === 'user' || role === 'system')
      this.#addMessage(role, markerEscapes.unescape(content), path)
    else
      this.#collector.addMessage(
        keepMessage(NAME, { role, content: markerEscapes.unescape(content) }, path, this.#context),
      )
  }

  #readDeveloper(content: string, path: Path): void {
    const { text, tools } = readDeveloperContent(content)
    if (tools.length > 0) this.tools = [...this.tools, ...tools]
    if (text === undefined) this.#collector.close()
    else this.#addMessage('developer', text, path)
  }

  #addMessage(role: 'system' | 'developer' | 'user', text: string, path: Path): void {
    const fields = { id: this.#context.messageId(), role, content: toText(text) }
    const message = checkAndFreezeMessage<Message>(fields, path)
    this.#collector.addMessage(
      role === 'system' ? freezeOwned(withHints(message, HARMONY_SLOT, { system: true })) : message,
    )
  }

  #readAnswer({ recipient, channel, content }: HarmonyMessage): void {
    if (recipient !== undefined && !PEOPLE.includes(recipient)) {
      this.#collector.addAnswerPart(this.#readCall(recipient, content))
      return
    }
    const text = markerEscapes.unescape(content)
    if (channel === 'analysis') {
      this.#collector.addAnswerPart({ type: 'reasoning', text })
      return
    }
    for (const part of toText(text)) this.#addText(part)
    if (channel === 'commentary') return
    if (text === '') {
      this.#collector.close()
      this.#collector.startAnswer(undefined, (message) => message)
    }
    this.#collector.close()
  }

  /** Adds a text. Two of them are two messages: a writer would join them in one. */
  #addText(part: TextPart): void {
    if (this.#collector.getLastAnswerType() === 'text') this.#collector.close()
    this.#collector.addAnswerPart(part)
  }

  #readCall(recipient: string, content: string): ToolCallPart {
    const { name, hints } = toToolName(recipient)
    const id = this.#pairing.callId()
    const part: ToolCallPart = { type: 'tool-call', id, name, ...readArguments(content) }
    this.#pairing.addCall(part)
    return freezeOwned(withHints(part, HARMONY_SLOT, hints))
  }

  #readResult({ role, content }: HarmonyMessage): void {
    const { name, hints } = role === 'tool' ? { name: undefined, hints: {} } : toToolName(role)
    const result: ToolResultPart = {
      type: 'tool-result',
      ...this.#pairing.pairResult(undefined, name),
      content: toText(markerEscapes.unescape(content)),
    }
    this.#collector.addResult(freezeOwned(withHints(result, HARMONY_SLOT, hints)))
  }
}

/** Reads arguments: JSON as it is, and any other text without its escapes. */
function readArguments(content: string): CallArguments {
  const parsed = parseArguments(content)
  if (parsed.arguments === undefined) return parseArguments(markerEscapes.unescape(content))
  const isWritten = markerEscapes.escapeJson(JSON.stringify(parsed.arguments)) === content
  return isWritten ? { arguments: parsed.arguments } : parsed
}

/** Returns the name of a tool without the namespace of functions; any other recipient is kept as a hint. */
function toToolName(recipient: string): {
  readonly name: string
  readonly hints: { readonly recipient?: string }
} {
  const prefix = `${NAMESPACE}.`
  if (recipient.startsWith(prefix) && recipient.length > prefix.length)
    return { name: readHeaderWord(recipient.slice(prefix.length)), hints: {} }
  return { name: recipient, hints: { recipient } }
}

function toText(text: string): readonly TextPart[] {
  return text === '' ? [] : [{ type: 'text', text }]
}
