import type { Message } from '../../canonical/model/message.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { attachResidue } from '../../dialects/engine/residue-slots.ts'
import { isObject, type Json, type JsonObject, tryParseJson } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { CallIdAssigner } from '../engine/call-id-assigner.ts'
import type { ConversationContent } from '../engine/conversation-codec.ts'
import { silentReporter } from '../engine/format-loss-reporter.ts'
import { readFunctionTools } from '../engine/function-tools.ts'
import { keepMessage } from '../engine/keep-unknown-values.ts'
import type { ReadingContext } from '../engine/message-format.ts'
import { readObjectArguments } from '../engine/object-arguments.ts'
import { readOptionalList, requireObject, requireText } from '../engine/require-fields.ts'
import { withParent } from '../engine/message-tree.ts'
import { ENTRY_KINDS, NAME, SHAREGPT_SLOT } from './constants.ts'
import { toPlacedConversation, writeEntries, writeRecord } from './write.ts'

/** Reads a conversation. Of a preference pair, the chosen answer is the current branch. */
export function readRecord(
  record: JsonObject,
  path: Path | undefined,
  context: ReadingContext,
): ConversationContent {
  const at = child(path, 'conversations')
  const reader = new EntryReader(context)
  const { system, tools, chosen, rejected } = record
  const column = typeof system === 'string' ? [reader.readSystemColumn(system, child(path, 'system'))] : []
  const entries = readOptionalList(record, 'conversations', child(path, 'conversations'))
  const branch = entries.map((entry, index) => reader.read(entry, child(at, index)))
  const isPair = isObject(chosen) && isObject(rejected)
  const preferred = isPair ? [reader.read(chosen, child(path, 'chosen'))] : []
  const other = isPair ? reader.read(rejected, child(path, 'rejected')) : undefined
  const messages = [...column, ...branch, ...preferred]
  const described = readFunctionTools(tools)
  const request: ChatRequest = {
    messages: Object.freeze(messages),
    ...(described !== undefined && described.length > 0 && { tools: described }),
  }
  const hints = isPair ? { rejected } : {}
  const content = {
    request: attachResidue(request, SHAREGPT_SLOT, hints, record, (unit) =>
      writeRecord(toPlacedConversation(unit), silentReporter),
    ),
  }
  if (other === undefined) return content
  const chain = messages.map((message, index) => withParent(message, messages[index - 1]))
  return { ...content, allMessages: [...chain, withParent(other, chain.at(-2))] }
}

/** Reads entries one after another: the format has no ids, so a result belongs to the first open call. */
class EntryReader {
  readonly #context: ReadingContext
  readonly #pairing = new CallIdAssigner()

  constructor(context: ReadingContext) {
    this.#context = context
  }

  readSystemColumn(text: string, path: Path): Message {
    const content = text === '' ? [] : [{ type: 'text', text } as const]
    const id = this.#context.messageId()
    const message = checkAndFreezeMessage<Message>({ id, role: 'system', content }, path)
    return attachResidue(message, SHAREGPT_SLOT, { column: true }, { from: 'system', value: text }, (unit) =>
      writeEntry(unit, path),
    )
  }

  read(given: Json, path: Path): Message {
    const entry = requireObject(given, path, 'a message')
    const from = requireText(entry, 'from', path)
    const value = requireText(entry, 'value', path)
    const kind = ENTRY_KINDS.find(([name]) => name === from)?.[1]
    const calls = kind === 'calls' ? this.#readCalls(value, child(path, 'value')) : undefined
    if (kind === undefined || (kind === 'calls' && calls === undefined))
      return keepMessage(NAME, entry, path, this.#context)
    const id = this.#context.messageId()
    const text = value === '' ? [] : [{ type: 'text', text: value }]
    const fields =
      kind === 'result'
        ? { id, role: 'tool', content: [this.#readResult(text)] }
        : kind === 'calls'
          ? { id, role: 'assistant', content: calls }
          : { id, role: kind, content: text }
    const message = checkAndFreezeMessage(fields as Message, path)
    const written = ENTRY_KINDS.find(([, each]) => each === kind)?.[0]
    const hints = {
      ...(from !== written && { from }),
      ...(calls?.length === 1 && Array.isArray(tryParseJson(value)) && { list: true }),
    }
    return attachResidue(message, SHAREGPT_SLOT, hints, entry, (unit) => writeEntry(unit, path))
  }

  /** Reads calls: one object with a name and arguments, or a list of them. Undefined for any other text. */
  #readCalls(value: string, path: Path): readonly ToolCallPart[] | undefined {
    const parsed = tryParseJson(value)
    const list = Array.isArray(parsed) ? (parsed as readonly Json[]) : [parsed]
    const isCall = (call: Json | undefined): call is JsonObject =>
      isObject(call) && typeof call['name'] === 'string' && call['name'] !== ''
    if (list.length === 0 || !list.every(isCall)) return undefined
    const calls = list.map((call) => {
      const part = {
        type: 'tool-call' as const,
        id: this.#pairing.callId(),
        name: call['name'] as string,
        ...readObjectArguments(call['arguments']),
      }
      return checkAndFreezePart<ToolCallPart>(part, path)
    })
    for (const call of calls) this.#pairing.addCall(call)
    return calls
  }

  #readResult(content: readonly object[]): object {
    return { type: 'tool-result', ...this.#pairing.pairResult(undefined, undefined), content }
  }
}

function writeEntry(message: Message, path: Path): JsonObject | undefined {
  return writeEntries([{ message, path }], silentReporter)[0]
}
