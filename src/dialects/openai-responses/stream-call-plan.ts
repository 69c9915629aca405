import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { ChatEvent, PartEndEvent } from '../../canonical/model/event.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { createPartPath, type PartBeingWritten } from '../engine/parts-being-written.ts'
import type { WireEventPlan } from '../engine/stream-planner.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { createItemEnd, getCallEventPrefix, isCustomCallPart } from './stream-plan-rules.ts'
import { encodeCallName } from './tool-calls.ts'

/** Plans the items of calls. They may be open side by side: each event names its item. */
export class CallPlan {
  readonly #context: EncodeContext
  /** The open calls, each with whether a delta was written. */
  readonly #calls = new Map<PartBeingWritten, boolean>()

  constructor(context: EncodeContext) {
    this.#context = context
  }

  isOpen(source: PartBeingWritten): boolean {
    return this.#calls.has(source)
  }

  open(source: PartBeingWritten, part: ToolCallPart): WireEventPlan {
    this.#calls.set(source, false)
    const { index } = source
    const path = createPartPath(source)
    reportUnsupportedFields(part, path, this.#context)
    // Reports a changed name.
    encodeCallName(part, path, this.#context)
    const { arguments: _arguments, rawArguments: _raw, invalidArguments: _error, ...call } = part
    const isCustom = isCustomCallPart(part)
    const emptyInput = isCustom ? { arguments: { input: '' } } : { arguments: {}, rawArguments: '' }
    const start: ChatEvent = { type: 'part-start', index, part: { ...call, ...emptyInput } }
    const json = stringifyArguments(part)
    const isEmpty = json === '{}' || (isCustom && json === '{"input":""}')
    return [
      ['response.output_item.added', [start]],
      ...(isEmpty ? [] : this.grow(source, { type: 'arguments-delta', index, json })),
    ]
  }

  grow(source: PartBeingWritten, event: ChatEvent): WireEventPlan {
    if (event.type !== 'arguments-delta' || event.json === '') return []
    this.#calls.set(source, true)
    return [[`${getCallEventPrefix(source.openingPart)}.delta`, [event]]]
  }

  close(source: PartBeingWritten, event: PartEndEvent): WireEventPlan {
    const { index, openingPart } = source
    const part = source.getPart()
    const hasDelta = this.#calls.get(source) === true
    this.#calls.delete(source)
    const prefix = getCallEventPrefix(openingPart)
    const json = part.type === 'tool-call' ? stringifyArguments(part) : ''
    const isUnwritten = !hasDelta && json !== '' && !isCustomCallPart(openingPart)
    const delta: WireEventPlan = [[`${prefix}.delta`, [{ type: 'arguments-delta', index, json }]]]
    return [
      ...(isUnwritten ? delta : []),
      [`${prefix}.done`, [{ type: 'part-end', index }]],
      ['response.output_item.done', [createItemEnd(source, event)]],
    ]
  }
}
