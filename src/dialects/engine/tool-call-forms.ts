import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { FunctionTool, Tool } from '../../canonical/model/tool.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isEmptyObject, type Json } from '../../wire/json.ts'
import type { Hints } from '../../wire/residue.ts'
import { addHints, getHints, defineSlot } from './residue-slots.ts'

/**
 * Returns the hints with which calls of a tool are written, if the tool has a form of its own: a custom tool, a tool in a
 * namespace. Calls that come from another dialect do not have these hints.
 */
export type CallHintsOfTool = (tool: FunctionTool) => CallForm

/** The hints that determine the form of a call. */
export type CallForm = Hints<'wireType' | 'toolNamespace'>

/** The forms of calls, by the names of their tools. */
export class ToolCallForms {
  readonly #slot: string
  readonly #hintsByTool: ReadonlyMap<string, CallForm>
  /** True if only the first call of a message can have its form. */
  readonly isForFirstCall: boolean

  constructor(slot: string, hintsByTool: ReadonlyMap<string, CallForm>, isForFirstCall = false) {
    this.#slot = slot
    this.#hintsByTool = hintsByTool
    this.isForFirstCall = isForFirstCall
  }

  /** Identifies the forms: equal keys mean that calls are written in the same way. */
  get key(): string {
    return JSON.stringify([...this.#hintsByTool])
  }

  /** Returns a call in the form of its tool. A form that the call was received in is kept. */
  applyToPart<T extends Part>(part: T): T {
    return this.#addMissingHints(part, (hint) => hint)
  }

  applyToMessage(message: Message): Message {
    return this.#mapCalls(message, (part) => this.applyToPart(part))
  }

  /** Marks calls that were received in another form than that of their tool, so that they are sent as received. */
  preserveReceived(messages: readonly Message[]): readonly Message[] {
    return messages.map((message) =>
      this.#mapCalls(message, (part) => this.#addMissingHints(part, () => null)),
    )
  }

  #mapCalls(message: Message, convert: (part: Part) => Part): Message {
    if (message.role !== 'assistant' || !message.content.some(isApplicationCall)) return message
    const first = message.content.findIndex(isApplicationCall)
    const content = message.content.map((part, index) =>
      this.isForFirstCall && index !== first ? part : convert(part),
    )
    const isSame = content.every((part, index) => part === message.content[index])
    return isSame ? message : freezeOwned({ ...message, content } as Message)
  }

  #addMissingHints<T extends Part>(part: T, convert: (hint: Json) => Json): T {
    const form = isApplicationCall(part) ? this.#hintsByTool.get(part.name) : undefined
    if (form === undefined) return part
    const slot = defineSlot<keyof CallForm, string>(this.#slot)
    const { wireType, toolNamespace } = getHints(part, slot)
    const added = {
      ...(wireType === undefined && form.wireType !== undefined && { wireType: convert(form.wireType) }),
      ...(toolNamespace === undefined &&
        form.toolNamespace !== undefined && { toolNamespace: convert(form.toolNamespace) }),
    }
    return isEmptyObject(added) ? part : freezeOwned(addHints(part, slot, added))
  }
}

/** Returns the forms of calls that the tools of a request require; undefined if all calls have the usual form. */
export function createToolCallForms(
  slot: string,
  tools: readonly Tool[] | undefined,
  getCallHints: CallHintsOfTool | undefined,
): ToolCallForms | undefined {
  if (tools === undefined || getCallHints === undefined) return undefined
  const hintsByTool = new Map<string, CallForm>()
  for (const tool of tools) {
    const hints = tool.type === 'function' ? getCallHints(tool) : {}
    if (tool.type === 'function' && !isEmptyObject(hints)) hintsByTool.set(tool.name, hints)
  }
  return hintsByTool.size === 0 ? undefined : new ToolCallForms(slot, hintsByTool)
}

/** Writes the calls in answers of a dialect. */
export interface AnswerCallForms {
  readonly getCallHints?: CallHintsOfTool
  /** Returns the form of the only call in answers to a request, for requests of a version that knows one call per answer. */
  readonly getSingleCallForm?: (request: ChatRequest) => CallForm | undefined
}

/** Returns the forms of calls in answers to a request; undefined if all calls have the usual form. */
export function createAnswerForms(
  slot: string,
  request: ChatRequest | undefined,
  { getCallHints, getSingleCallForm }: AnswerCallForms,
): ToolCallForms | undefined {
  const form = request && getSingleCallForm?.(request)
  if (form === undefined) return createToolCallForms(slot, request?.tools, getCallHints)
  const tools = (request?.tools ?? []).filter((tool) => tool.type === 'function')
  return new ToolCallForms(slot, new Map(tools.map(({ name }) => [name, form])), true)
}

/** Returns a response with its calls in the form of their tools, unless the response came from the same dialect. */
export function applyCallForms(
  response: ChatResponse,
  dialect: string,
  forms: ToolCallForms | undefined,
): ChatResponse {
  if (forms === undefined) return response
  const candidates = response.candidates.map((message) =>
    message.origin?.dialect === dialect ? message : forms.applyToMessage(message),
  )
  return { ...response, candidates } as ChatResponse
}

/** Returns events with their calls in the form of their tools, unless the stream came from the same dialect. */
export function createCallFormMapper(
  dialect: string,
  forms: ToolCallForms | undefined,
): (event: ChatEvent) => ChatEvent {
  if (forms === undefined) return (event) => event
  let isOwn = false
  const firstCalls = new Map<number, number>()
  const isLaterCall = (
    part: Part,
    { index, candidate = 0 }: { index: number; candidate?: number },
  ): boolean => {
    if (!forms.isForFirstCall || !isApplicationCall(part)) return false
    const first = firstCalls.get(candidate) ?? index
    firstCalls.set(candidate, first)
    return first !== index
  }
  return (event) => {
    if (event.type === 'start') isOwn = event.origin?.dialect === dialect
    if (isOwn || !('part' in event) || event.part === undefined) return event
    if (isLaterCall(event.part, event)) return event
    const part = forms.applyToPart(event.part)
    return part === event.part ? event : { ...event, part }
  }
}
