import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { ChatEvent, PartEndEvent, PartStartEvent, StartEvent } from '../../canonical/model/event.ts'
import type {
  AssistantPart,
  ReasoningPart,
  RefusalPart,
  TextPart,
  ToolCallPart,
} from '../../canonical/model/part.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import {
  isEmptyObject,
  isList,
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  omitUndefined,
  readStringOrEmpty,
} from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { getUtf8Offsets } from '../../wire/utf8-offsets.ts'
import { createReasoningFallback } from '../engine/content-fallback.ts'
import {
  createCandidatePath,
  createPartPath,
  createTextDelta,
  type PartBeingWritten,
  type PartEvent,
} from '../engine/parts-being-written.ts'
import { getHints } from '../engine/residue-slots.ts'
import { type PartWithDeltas, StreamPlanner, type WireEventPlan } from '../engine/stream-planner.ts'
import { encodeToolName } from '../shared/tool-names.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { encodeCitation } from './citations.ts'
import { DIALECT_SLOT, SIGNATURE_VENDOR, toolNameRule } from './constants.ts'
import { isContentType } from './media.ts'
import { thoughtCodec } from './reasoning.ts'
import { encodeFinish, encodeUsage } from './response-metadata.ts'
import { encodeSteps } from './steps.ts'

/** An event without content, for wire events that contain only what is already known. */
const noContentEvent: ChatEvent = { type: 'opaque', dialect: DIALECT_SLOT, value: null }

/** Splits a complete step into the form in which it starts and the deltas that complete it. */
export function splitStep(step: JsonObject): {
  readonly shell: JsonObject
  readonly deltas: readonly JsonObject[]
} {
  const { type, id, call_id: callId, name, content, summary, signature, ...fields } = step
  if (type === 'model_output') {
    const contents = itemsOf(content)
    if (!contents.every(hasDelta)) return { shell: step, deltas: [] }
    return { shell: { type, ...fields }, deltas: contents.flatMap(splitContent) }
  }
  if (type === 'thought') {
    const summaries = itemsOf(summary).map((each): JsonObject => ({ type: 'thought_summary', content: each }))
    const signed = signature === undefined ? [] : [{ type: 'thought_signature', signature }]
    return { shell: { type, ...fields }, deltas: [...summaries, ...signed] }
  }
  if (id === undefined && callId === undefined) return { shell: step, deltas: [] }
  const { arguments: callArguments, result, is_error: isError, ...opening } = fields
  // The deltas of the tools of servers repeat the names of the tool and of the server.
  const repeated = opening['server_name'] === undefined ? {} : { name, server_name: opening['server_name'] }
  const added = omitUndefined({ arguments: callArguments, result, is_error: isError, signature })
  const shell = omitUndefined({
    type,
    id,
    call_id: callId,
    name,
    ...opening,
    arguments: callArguments === undefined ? undefined : {},
    result: result === undefined ? undefined : typeof result === 'string' ? '' : isList(result) ? [] : {},
  })
  const deltas = isEmptyObject(added) ? [] : [omitUndefined({ type, ...repeated, ...added })]
  return { shell, deltas }
}

/** Returns true if deltas can contain a content: not one of an unknown type, and not the name of a video. */
function hasDelta(content: Json): boolean {
  return isObject(content) && isContentType(content['type']) && content['name'] === undefined
}

/** Splits a content into deltas. */
export function splitContent(content: unknown): readonly JsonObject[] {
  if (!isObject(content)) return []
  const { annotations, ...rest } = content as JsonObject
  if (annotations === undefined) return [rest]
  return [rest, { type: 'text_annotation_delta', annotations }]
}

/** Plans the wire events of a stream. Each part is a step of its own; steps may be open side by side. */
export class StreamPlan extends StreamPlanner {
  protected readonly supportsCandidates = false
  /** The streamed parts whose step was started. */
  readonly #started = new Set<PartBeingWritten>()
  /** Parts that are written when complete, in the order in which they opened; undefined while a part is open. */
  readonly #held = new Map<PartBeingWritten, AssistantPart | undefined>()
  #start: StartEvent | undefined
  #hasToolCalls = false

  end(): WireEventPlan {
    const closing = this.endOpenParts()
    const { usage } = this
    if (usage !== undefined) encodeUsage(usage, this.context) // reports the counts without a field
    const counted: readonly ChatEvent[] = usage === undefined ? [] : [{ type: 'usage', usage }]
    const finish = this.finish?.finish
    // A stream without a finish event was cut off, and stays so.
    if (finish === undefined)
      return counted.length === 0 ? closing : [...closing, ['interaction.status_update', counted]]
    const isOwnFormat = this.#start?.origin?.dialect === DIALECT_SLOT
    const path = child(createCandidatePath(), 'finish')
    encodeFinish({ finish, hasToolCalls: this.#hasToolCalls, isOwnFormat }, path, this.context)
    // The events of a stream have no field for the error that states a block.
    if (finish.reason === 'content-filter' && isOwnFormat)
      this.context.report('finish-approximated', child(path, 'reason'))
    const { raw: _raw, ...plain } = finish
    const last: ChatEvent = { type: 'finish', finish: isOwnFormat ? finish : plain }
    return [...closing, ['interaction.completed', [last, ...counted]]]
  }

  protected startCandidate(event: StartEvent): WireEventPlan {
    const before = this.#start === undefined ? [] : this.end()
    this.#start = event
    this.finish = undefined
    this.usage = undefined
    this.#hasToolCalls = false
    return [...before, ['interaction.created', [event]], ['interaction.status_update', [noContentEvent]]]
  }

  /** Returns whether a part is streamed: a text, a call of a tool that the application runs, or a thought. */
  protected isStreamable(part: PartWithDeltas): boolean {
    if (part.type === 'reasoning')
      return thoughtCodec.isOwn(part) || thoughtCodec.isShown({ ...part, text: 'any' }, this.context)
    return part.type !== 'tool-call' || isApplicationCall(part)
  }

  protected openPart(source: PartBeingWritten, { part }: PartStartEvent): WireEventPlan {
    if (!source.isStreamed) {
      this.#held.set(source, undefined)
      return []
    }
    if (part.type === 'tool-call') return this.#openCall(source, part)
    return 'text' in part && part.text !== '' ? this.#planText(source, createTextDelta(part, source)) : []
  }

  #openCall(source: PartBeingWritten, part: ToolCallPart): WireEventPlan {
    this.#hasToolCalls = true
    const path = createPartPath(source)
    reportUnsupportedFields(part, path, this.context)
    encodeToolName(part.name, getHints(part, DIALECT_SLOT), toolNameRule, child(path, 'name'), this.context)
    const { arguments: _arguments, rawArguments: _raw, invalidArguments: _error, ...call } = part
    const { index } = source
    const start: ChatEvent = { type: 'part-start', index, part: { ...call, arguments: {} } }
    return [['step.start function_call', [start]]]
  }

  protected growPart(source: PartBeingWritten, event: PartEvent): WireEventPlan {
    if (event.type === 'arguments-delta') {
      if (event.json === '') return []
      this.#started.add(source)
      return [['step.delta arguments_delta', [event]]]
    }
    return 'text' in event && event.text !== '' ? this.#planText(source, event) : []
  }

  /** Plans a text of an answer or of a thought; the first one starts the step. */
  #planText(source: PartBeingWritten, event: ChatEvent): WireEventPlan {
    const { openingPart } = source
    const isThought = openingPart.type === 'reasoning'
    return [
      ...this.#startStep(source, isThought ? 'thought' : 'model_output'),
      [isThought ? 'step.delta thought_summary' : 'step.delta text', [event]],
    ]
  }

  #startStep(source: PartBeingWritten, type: string): WireEventPlan {
    if (this.#started.has(source)) return []
    this.#started.add(source)
    const { index, openingPart } = source
    return [[`step.start ${type}`, [{ type: 'part-start', index, part: openingPart }]]]
  }

  protected closePart(source: PartBeingWritten, event: PartEndEvent): WireEventPlan {
    const part = source.getPart()
    if (!source.isStreamed) {
      this.#held.set(source, part)
      return this.#takeComplete()
    }
    const end: ChatEvent = { type: 'part-end', index: event.index }
    const path = createPartPath(source)
    if (source.isCorrected && this.#started.has(source)) this.context.report('late-correction', path)
    if (part.type === 'tool-call') return [...this.#closeCall(source, part), ['step.stop', [end]]]
    const content =
      part.type === 'reasoning'
        ? this.#closeThought(source, part)
        : part.type === 'text' || part.type === 'refusal'
          ? this.#closeText(source, part)
          : []
    return this.#started.has(source) ? [...content, ['step.stop', [end]]] : content
  }

  /** Arguments that arrived without a delta are written at the end: a delta would have replaced those of the start. */
  #closeCall(source: PartBeingWritten, part: ToolCallPart): WireEventPlan {
    const { index } = source
    const json = stringifyArguments(part)
    const isUnwritten = !this.#started.has(source) && json !== '{}'
    return isUnwritten ? this.growPart(source, { type: 'arguments-delta', index, json }) : []
  }

  #closeText(source: PartBeingWritten, part: TextPart | RefusalPart): WireEventPlan {
    const path = createPartPath(source)
    reportUnsupportedFields(part, path, this.context)
    if (part.type === 'refusal') this.context.report('refusal-as-text', path)
    const isKept = part.text !== '' || getHints(part, DIALECT_SLOT)['emptyText'] === true
    if (!isKept) this.context.report('empty-text', path)
    const unwritten =
      !this.#started.has(source) && isKept ? this.#planText(source, createTextDelta(part, source)) : []
    const { citations = [], text } = part.type === 'text' ? part : { text: part.text }
    const offsets = getUtf8Offsets(citations.length === 0 ? '' : text)
    const sent = (isKept ? citations : []).filter(
      (citation, number) =>
        encodeCitation(citation, offsets, child(child(path, 'citations'), number), this.context) !==
        undefined,
    )
    if (sent.length === 0 || !isKept) return unwritten
    const update: ChatEvent = { type: 'part-update', index: source.index, citations: sent }
    return [...unwritten, ['step.delta text_annotation_delta', [update]]]
  }

  #closeThought(source: PartBeingWritten, part: ReasoningPart): WireEventPlan {
    const path = createPartPath(source)
    const isOwn = thoughtCodec.isOwn(part)
    const unwritten =
      !this.#started.has(source) && part.text !== ''
        ? this.#planText(source, createTextDelta(part, source))
        : []
    if (!isOwn && part.text === '') createReasoningFallback(part, path, this.context) // reports that it is omitted
    else if (!isOwn) thoughtCodec.toSummary(part, path, this.context) // reports its signature
    if (!isOwn) return unwritten
    if (part.cache !== undefined) this.context.report('cache-hint', child(path, 'cache'))
    const started = this.#startStep(source, 'thought')
    const { signature } = part
    if (signature?.vendor !== SIGNATURE_VENDOR) return [...unwritten, ...started]
    const { vendor, value } = signature
    const update: ChatEvent = { type: 'part-update', index: source.index, signature: { vendor, value } }
    return [...unwritten, ...started, ['step.delta thought_signature', [update]]]
  }

  /** Takes the complete parts that no open part precedes. */
  #takeComplete(): WireEventPlan {
    const planned: WireEventPlan[number][] = []
    for (const [source, part] of this.#held) {
      if (part === undefined) break
      this.#held.delete(source)
      const path = createPartPath(source)
      const steps = encodeSteps([{ part, path }], 'response', this.context)
      for (const each of steps.flatMap(planStep)) planned.push(each)
    }
    return planned
  }
}

/** Plans the wire events of a complete step. */
function planStep(step: JsonObject): WireEventPlan {
  const type = isObject(step) ? readStringOrEmpty(step['type']) : ''
  const { shell, deltas } = isObject(step) ? splitStep(step) : { shell: step, deltas: [] }
  const createEvent = (value: JsonObject): ChatEvent => ({ type: 'opaque', dialect: DIALECT_SLOT, value })
  return [
    [`step.start ${type}`, [createEvent({ step: shell })]],
    ...deltas.map((delta): WireEventPlan[number] => [
      `step.delta ${readStringOrEmpty(delta['type'])}`,
      [createEvent({ delta })],
    ]),
    ['step.stop', [noContentEvent]],
  ]
}
