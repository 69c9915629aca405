import type { Message } from '../../canonical/model/message.ts'
import type { Part, ToolCallPart } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { FunctionTool } from '../../canonical/model/tool.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { throwInvalid } from '../../canonical/shape/shape.ts'
import { attachResidue, withHints } from '../../dialects/engine/residue-slots.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type JsonObject, tryParseJson } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { CallIdAssigner } from '../engine/call-id-assigner.ts'
import type { ConversationContent } from '../engine/conversation-codec.ts'
import { silentReporter } from '../engine/format-loss-reporter.ts'
import { keepMessage } from '../engine/keep-unknown-values.ts'
import type { ReadingContext } from '../engine/message-format.ts'
import { readObjectArguments } from '../engine/object-arguments.ts'
import { requireText } from '../engine/require-fields.ts'
import { CHATML_SLOT, markerEscapes, NAME, CHATML_ROLES, TAGS, TURN_END, TURN_START } from './constants.ts'
import { findTaggedBlocks, readOnlyBlocks, trimLineBreaks } from './tagged-blocks.ts'
import { readSystemContent } from './tools.ts'
import { writeRecord } from './write.ts'

/** Reads a conversation. A turn without an end is the last one; an empty one asks for an answer. */
export function readRecord(
  record: JsonObject,
  path: Path | undefined,
  context: ReadingContext,
): ConversationContent {
  const at = child(path, 'text')
  const reader = new TurnReader(context)
  const [before = '', ...turns] = requireText(record, 'text', path ?? at).split(TURN_START)
  checkOutside(before, at)
  const messages = turns.flatMap((turn, index) =>
    reader.read(turn, child(at, index), index === turns.length - 1),
  )
  const request: ChatRequest = {
    messages: Object.freeze(messages),
    ...(reader.tools.length > 0 && { tools: reader.tools }),
  }
  const placed = messages.map((message, index) => ({ message, path: child(undefined, index) }))
  return {
    request: attachResidue(request, CHATML_SLOT, {}, record, (unit) =>
      writeRecord({ request: unit, messages: placed, listPath: undefined }, silentReporter),
    ),
  }
}

/** Text outside of turns would be lost: only blanks and the marker of the end of a text are allowed. */
function checkOutside(text: string, path: Path): void {
  if (text.replaceAll('<|endoftext|>', '').trim() === '') return
  throwInvalid('invalid-value', path, 'text outside of a turn', `text between ${TURN_START} and ${TURN_END}`)
}

/** Reads turns one after another: the format has no ids, so a result belongs to the first open call. */
class TurnReader {
  readonly #context: ReadingContext
  readonly #pairing = new CallIdAssigner()
  tools: readonly FunctionTool[] = []

  constructor(context: ReadingContext) {
    this.#context = context
  }

  read(turn: string, path: Path, isLast: boolean): readonly Message[] {
    const end = turn.indexOf(TURN_END)
    if (end !== -1) checkOutside(turn.slice(end + TURN_END.length), path)
    const body = end === -1 ? turn : turn.slice(0, end)
    const line = body.indexOf('\n')
    const header = (line === -1 ? body : body.slice(0, line)).trim()
    const content = line === -1 ? '' : body.slice(line + 1)
    if (end === -1 && isLast && content.trim() === '') return []
    const [, name = '', author] = /^(\S+)(?: name=(\S+))?$/.exec(header) ?? []
    const role = Object.hasOwn(CHATML_ROLES, name) ? CHATML_ROLES[name] : undefined
    if (role === undefined) return [keepMessage(NAME, { header, content }, path, this.#context)]
    const results = role === 'tool' || role === 'user' ? readOnlyBlocks(content, TAGS.result) : undefined
    const isResults = role === 'tool' || results !== undefined
    const parts = isResults
      ? this.#readResults(results?.map(trimLineBreaks) ?? [content])
      : this.#readParts(role, content)
    if (parts === undefined) return []
    const message = {
      id: this.#context.messageId(),
      role: isResults ? ('tool' as const) : role,
      content: parts,
      ...(author !== undefined && { name: author }),
    }
    const checked = checkAndFreezeMessage<Message>(message as Message, path)
    return [role === 'tool' ? freezeOwned(withHints(checked, CHATML_SLOT, { role: 'tool' })) : checked]
  }

  /** Returns the parts of a turn; undefined for a system turn that contains only tools. */
  #readParts(role: Message['role'], content: string): readonly Part[] | undefined {
    if (role === 'assistant') return this.#readAnswer(content)
    if (role !== 'system') return toText(markerEscapes.user.unescape(content))
    const { text, tools } = readSystemContent(content)
    if (tools.length > 0) this.tools = [...this.tools, ...tools]
    return text === undefined ? undefined : toText(markerEscapes.system.unescape(text))
  }

  /** Reads texts, reasoning and calls in their order. A call that is not JSON stays text. */
  #readAnswer(content: string): readonly Part[] {
    const parts: Part[] = []
    let from = 0
    const addText = (text: string): void => {
      for (const part of toText(markerEscapes.assistant.unescape(text))) parts.push(part)
    }
    for (const { tag, start, end, content: block } of findTaggedBlocks(content, [
      TAGS.reasoning,
      TAGS.call,
    ])) {
      const isCall = tag === TAGS.call
      const part = isCall ? this.#readCall(block) : toReasoning(block)
      if (part === undefined) continue
      const before = content.slice(from, start)
      addText(before.endsWith('\n') ? before.slice(0, -1) : before)
      parts.push(part)
      const gap = (isCall ? /^\n?/ : /^\n{0,2}/).exec(content.slice(end, end + 2))?.[0] ?? ''
      from = end + gap.length
    }
    addText(content.slice(from))
    return parts
  }

  #readCall(json: string): ToolCallPart | undefined {
    const call = tryParseJson(json)
    if (!isObject(call) || typeof call['name'] !== 'string' || call['name'] === '') return undefined
    const { name, arguments: input } = call
    const part: ToolCallPart = {
      type: 'tool-call',
      id: this.#pairing.callId(),
      name,
      ...readObjectArguments(input),
    }
    this.#pairing.addCall(part)
    return part
  }

  #readResults(texts: readonly string[]): readonly Part[] {
    return texts.map((text) => ({
      type: 'tool-result',
      ...this.#pairing.pairResult(undefined, undefined),
      content: toText(markerEscapes.result.unescape(text)),
    }))
  }
}

function toReasoning(block: string): Part {
  return { type: 'reasoning', text: markerEscapes.assistant.unescape(trimLineBreaks(block)) }
}

function toText(text: string): readonly { readonly type: 'text'; readonly text: string }[] {
  return text === '' ? [] : [{ type: 'text', text }]
}
