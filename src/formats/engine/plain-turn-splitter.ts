import type { Message } from '../../canonical/model/message.ts'
import type { Part, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { CallIdAssigner } from './call-id-assigner.ts'
import type { FormatReporter } from './format-loss-reporter.ts'
import { writeTextResult } from './result-content.ts'

/** A piece of a message in a format that has only text, calls and results. */
export type PlainTurn =
  | { readonly type: 'text' | 'reasoning'; readonly texts: readonly string[]; readonly path: Path }
  | { readonly type: 'calls'; readonly calls: readonly ToolCallPart[]; readonly path: Path }
  | {
      readonly type: 'result'
      readonly result: ToolResultPart
      /** The name of the tool: that of the result, or of the call that a reader pairs it with. */
      readonly name: string | undefined
      readonly text: string
      readonly path: Path
    }

/** What a format of text can represent besides text, calls and results. */
export interface PlainTurnOptions {
  readonly hasReasoning?: boolean
  /** Results have the name of their tool. */
  readonly hasResultNames?: boolean
  /** Results have no ids: a result belongs to the first call before it that has no result, of its tool if it has a name. */
  readonly pairsByOrder?: boolean
}

/**
 * Splits messages into turns for a format of text: media and unknown blocks are reported, adjacent texts are one turn. Reasoning
 * has marks of its own, so that each part is a turn.
 */
export class PlainTurnSplitter {
  readonly #options: PlainTurnOptions
  readonly #report: FormatReporter
  /** Pairs calls and results as a reader of the format does, with ids of its own. */
  readonly #pairing = new CallIdAssigner()
  readonly #callsByReadId = new Map<string, ToolCallPart>()
  readonly #callIds = new Set<string>()

  constructor(report: FormatReporter, options: PlainTurnOptions = {}) {
    this.#report = report
    this.#options = options
  }

  /** Returns the turns of the next message. */
  split({ content }: Message, path: Path): readonly PlainTurn[] {
    const turns: PlainTurn[] = []
    let texts: string[] = []
    let calls: ToolCallPart[] = []
    content.forEach((part: Part, index) => {
      const turn = this.#toTurn(part, child(child(path, 'content'), index))
      if (turn === undefined) return
      const last = turns.at(-1)
      if (turn.type === 'calls' && last?.type === 'calls') {
        for (const call of turn.calls) calls.push(call)
        turns[turns.length - 1] = { ...last, calls }
      } else if (turn.type === 'text' && last?.type === 'text') {
        for (const { path: at } of [last, turn]) this.#report.add('texts-concatenated', at)
        texts.push(turn.texts[0] ?? '')
        turns[turns.length - 1] = { ...last, texts }
      } else {
        texts = turn.type === 'text' ? [...turn.texts] : []
        calls = turn.type === 'calls' ? [...turn.calls] : []
        turns.push(turn)
      }
    })
    return turns
  }

  #toTurn(part: Part, path: Path): PlainTurn | undefined {
    const report = this.#report
    switch (part.type) {
      case 'text':
        return { type: 'text', texts: [part.text], path }
      case 'refusal':
        report.add('refusal-as-text', path)
        return { type: 'text', texts: [part.text], path }
      case 'json':
        report.add('json-as-text', path)
        return { type: 'text', texts: [JSON.stringify(part.value)], path }
      case 'reasoning':
        if (this.#options.hasReasoning === true) return { type: 'reasoning', texts: [part.text], path }
        report.add('part-unsupported', path)
        return undefined
      case 'tool-call':
        this.#addCall(part)
        return { type: 'calls', calls: [part], path }
      case 'tool-result':
        return this.#toResult(part, path)
      case 'opaque':
        report.add('foreign-opaque', path)
        return undefined
      case 'image':
      case 'audio':
      case 'video':
      case 'file':
        report.add('dropped-media', path)
        return undefined
    }
  }

  #addCall(call: ToolCallPart): void {
    const id = this.#pairing.callId()
    this.#pairing.addCall({ ...call, id })
    this.#callsByReadId.set(id, call)
    this.#callIds.add(call.id)
  }

  #toResult(result: ToolResultPart, path: Path): PlainTurn {
    const { hasResultNames, pairsByOrder } = this.#options
    const read = this.#pairing.pairResult(undefined, hasResultNames === true ? result.name : undefined)
    const call = this.#callsByReadId.get(read.callId)
    // The id of a result without any call pairs nothing.
    const isOrphan = call === undefined && !this.#callIds.has(result.callId)
    if (result.name !== undefined && read.name !== result.name)
      this.#report.add('result-name-omitted', child(path, 'name'))
    if (pairsByOrder === true && call?.id !== result.callId && !isOrphan)
      this.#report.add('call-id-omitted', child(path, 'callId'))
    const text = writeTextResult(result, path, this.#report)
    return { type: 'result', result, name: read.name, text, path }
  }
}
