import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import type { AssistantPart, ReasoningPart } from '../../canonical/model/part.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from './encode-context.ts'
import { getModelVendor } from './model-facts.ts'
import { digestPrefix, extendPrefixDigest, type ReasoningFacts } from './reasoning-origin.ts'
import type { EngineHint } from './residue-hints.ts'
import { getHints, defineSlot } from './residue-slots.ts'

/** The vendor of reasoning that the target must not receive as its own: no dialect has this name. */
const FOREIGN_VENDOR = 'another vendor'

/** The vendor of reasoning that is valid only for another model or another conversation. */
const BOUND_VENDOR = 'another conversation'

/** The slots by which decoders mark unsigned reasoning, and the vendors whose format they are. */
const vendorsBySlot: readonly (readonly [slot: string, vendor: string])[] = [
  ['anthropic', 'anthropic'],
  ['gemini', 'google'],
  ['openai-responses', 'openai'],
  ['ollama', 'ollama'],
  ['mistral', 'mistral'],
  ['gemini-interactions', 'google-interactions'],
  // Claude signs its reasoning; without a signature, it is that of another model on Bedrock.
  ['bedrock', 'bedrock'],
  ['cohere', 'cohere'],
]

/** Returns true for reasoning that the filter marked: the target did not make it, or cannot verify it. */
export function isMarkedForeign({ signature }: ReasoningPart): boolean {
  return signature?.vendor === FOREIGN_VENDOR || signature?.vendor === BOUND_VENDOR
}

/** Returns true for reasoning that is valid only for another model or another conversation. */
export function isBoundElsewhere({ signature }: ReasoningPart): boolean {
  return signature?.vendor === BOUND_VENDOR
}

/**
 * Decides for each reasoning part of a request whether the target made it. The decision is by vendor, not by wire field: hosts
 * of one format run the models of many vendors. Messages are filtered in order, because some models accept reasoning only after
 * the exact conversation that produced it.
 */
export class ReasoningFilter {
  readonly #slot: string
  readonly #facts: ReasoningFacts
  readonly #context: EncodeContext
  readonly #tools: readonly Tool[] | undefined
  readonly #isBound: boolean
  #digest = ''

  constructor(slot: string, facts: ReasoningFacts, context: EncodeContext, tools?: readonly Tool[]) {
    this.#slot = slot
    this.#facts = facts
    this.#context = context
    this.#tools = tools
    this.#isBound = facts.isBoundToConversation?.(context.options.model) === true
  }

  /** Returns a message with its foreign reasoning marked. `received` is the message before its text was adjusted. */
  filter(message: Message, path: Path | undefined, received: Message = message): Message {
    const before = this.#digest
    this.skip(received)
    if (message.role !== 'assistant' || !hasReasoning(message)) return message
    const isBoundElsewhere = this.#isBoundElsewhere(message, before)
    const content = message.content.map((part, index): AssistantPart => {
      if (part.type !== 'reasoning') return part
      if (isBoundElsewhere && this.#isSignedHere(part)) return markReasoning(part, BOUND_VENDOR)
      return this.#isForeign(part, message) ? this.#convert(part, child(child(path, 'content'), index)) : part
    })
    return content.every((part, index) => part === message.content[index]) ? message : { ...message, content }
  }

  /** Adds a message without reasoning to the conversation that later reasoning depends on. */
  skip(received: Message): void {
    if (this.#isBound) this.#digest = extendPrefixDigest(this.#digest, received)
  }

  /** Returns foreign reasoning unsigned, if the target may receive it in its own form, else marked. */
  #convert(part: ReasoningPart, path: Path): ReasoningPart {
    if (this.#context.policy.foreignReasoning !== 'native') return markReasoning(part, FOREIGN_VENDOR)
    if (part.signature !== undefined) this.#context.report('foreign-signature', child(path, 'signature'))
    const { signature: _signature, extra: _extra, ...unsigned } = part
    return unsigned
  }

  #isSignedHere({ signature }: ReasoningPart): boolean {
    return signature !== undefined && signature.vendor === this.#facts.signatureVendor
  }

  /** Returns true if the model cannot read the reasoning of the message, or the conversation before it has changed. */
  #isBoundElsewhere(message: AssistantMessage, digest: string): boolean {
    const { canReadReasoning } = this.#facts
    const { model } = this.#context.options
    const { prefixDigest } = getHints(message, defineSlot<EngineHint, string>(this.#slot))
    const producer = message.origin?.model ?? getRequestModel(message)
    if (producer !== undefined && canReadReasoning?.(model, producer) === false) return true
    return this.#isBound && prefixDigest !== undefined && prefixDigest !== digestPrefix(this.#tools, digest)
  }

  #isForeign(part: ReasoningPart, message: AssistantMessage): boolean {
    const { model, flavor } = this.#context.options
    const target = getModelVendor(model) ?? this.#facts.getHostVendor?.(flavor)
    const isReceivedHere = message.extra?.[this.#slot] !== undefined || part.extra?.[this.#slot] !== undefined
    // A received history is sent again as it was, unless the vendor changes.
    const producer = getModelVendor(getRequestModel(message) ?? message.origin?.model)
    if (producer !== undefined && target !== undefined) return producer !== target
    if (isReceivedHere) return false
    const vendor = getPartVendor(part) ?? producer
    return vendor !== undefined && vendor !== this.#facts.signatureVendor && vendor !== target
  }
}

/** Returns true for a message with reasoning. */
function hasReasoning({ content }: Message): boolean {
  for (const { type } of content) if (type === 'reasoning') return true
  return false
}

/** Returns the model of the request that contained a message. */
function getRequestModel(message: AssistantMessage): string | undefined {
  for (const slot of Object.keys(message.extra ?? {})) {
    const { requestModel } = getHints(message, defineSlot<EngineHint, string>(slot))
    if (typeof requestModel === 'string') return requestModel
  }
  return undefined
}

/** Returns the vendor that signed a part, or whose format the part was decoded from. */
function getPartVendor({ signature, extra }: ReasoningPart): string | undefined {
  if (signature !== undefined && signature.vendor !== 'unknown') return signature.vendor
  return extra && vendorsBySlot.find(([slot]) => extra[slot] !== undefined)?.[1]
}

/** Returns reasoning with a signature that no target accepts, and without the marks of its format. */
function markReasoning({ text, summary, redacted, cache }: ReasoningPart, vendor: string): ReasoningPart {
  const kept = { ...(summary && { summary }), ...(redacted && { redacted }), ...(cache && { cache }) }
  return { type: 'reasoning', text, ...kept, signature: { vendor, value: '', contentDigest: '' } }
}
