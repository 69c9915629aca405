import { parseArguments } from '../build/call-arguments.ts'
import { attachSignature } from '../build/parts.ts'
import type { Citation } from '../model/citation.ts'
import type { PartEndEvent, PartUpdateEvent, ReasoningDeltaEvent, TextDeltaEvent } from '../model/event.ts'
import type { AssistantPart, Signature } from '../model/part.ts'
import { isMediaPart } from '../read/message-content.ts'
import { checkAndFreezePart } from '../shape/part.ts'

/** Returns the empty part of a delta that arrives before the start of its part. */
export function createInitialPart(event: TextDeltaEvent | ReasoningDeltaEvent): AssistantPart {
  if (event.type === 'reasoning-delta')
    return { type: 'reasoning', text: '', ...(event.summary && { summary: true }) }
  return { type: event.type === 'text-delta' ? 'text' : 'refusal', text: '' }
}

/** Accumulates a part. The pieces are joined once, at the end, so the cost is linear. */
export class PartAccumulator {
  #part: AssistantPart
  #pieces: string[] = []
  #citations: Citation[] = []
  #signature: Omit<Signature, 'contentDigest'> | undefined

  constructor(part: AssistantPart) {
    this.#part = part
  }

  /** Appends text, reasoning, a refusal, arguments or base64. */
  append(piece: string): void {
    this.#pieces.push(piece)
  }

  update({ signature, citations }: PartUpdateEvent): void {
    if (signature !== undefined) this.#signature = signature
    for (const citation of citations ?? []) this.#citations.push(citation)
  }

  /** Adds the fields that the deltas did not contain; with `replaces`, replaces the part. */
  end({ part, replaces }: PartEndEvent): void {
    if (part === undefined) return
    if (replaces !== true) {
      this.#part = { ...this.#part, ...part }
      return
    }
    this.#part = part
    this.#pieces = []
    this.#citations = []
    this.#signature = undefined
  }

  /** Returns the part so far. */
  build(): AssistantPart {
    const part = appendText(this.#part, this.#pieces.join(''))
    const cited =
      part.type === 'text' && this.#citations.length > 0
        ? { ...part, citations: [...(part.citations ?? []), ...this.#citations] }
        : part
    // A signature that arrived alone is bound to the complete part; one that arrived with the part has its
    // own digest.
    return this.#signature === undefined ? checkAndFreezePart(cited) : attachSignature(cited, this.#signature)
  }
}

function appendText(part: AssistantPart, added: string): AssistantPart {
  if (added === '') return part
  if (isMediaPart(part)) {
    if (part.source.kind !== 'base64') return part
    return { ...part, source: { ...part.source, data: part.source.data + added } }
  }
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return { ...part, text: part.text + added }
    case 'tool-call': {
      const { arguments: _arguments, rawArguments: _raw, invalidArguments: _error, ...call } = part
      return { ...call, ...parseArguments(added) }
    }
    case 'tool-result':
    case 'opaque':
      return part
  }
}
