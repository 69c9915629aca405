import { attachSignature } from '../../canonical/build/parts.ts'
import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import type { AssistantPart, ReasoningPart, Signature } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { type SealedItem, readSealedItems } from './sealed-items.ts'
import { isSealed, type Sealer } from './sealer.ts'

/** What is needed to restore the history that a client sent. */
export interface RestoreContext {
  readonly sealer: Sealer
  /** Returns what is remembered for a call of a message. */
  readonly recall: (callId: string, message: Message) => readonly SealedItem[]
}

/** The vendor of sealed reasoning that cannot be opened: no provider accepts it, so that encoders omit it with a loss. */
const UNKNOWN_VENDOR = 'another gateway'

/** Replaces what the gateway sealed in earlier answers by what it sealed, and adds what it remembers of calls. */
export async function restoreHistory(request: ChatRequest, context: RestoreContext): Promise<ChatRequest> {
  const messages: Message[] = []
  let hasChanged = false
  for (const message of request.messages) {
    const restored =
      message.role === 'assistant' && hasState(message, context)
        ? await restoreMessage(message, context)
        : message
    hasChanged ||= restored !== message
    messages.push(restored)
  }
  return hasChanged ? { ...request, messages } : request
}

/** Tests whether a message contains something sealed, or something is remembered of its calls: most have neither. */
function hasState(message: AssistantMessage, { recall }: RestoreContext): boolean {
  return message.content.some(
    (part) =>
      (part.signature !== undefined && isSealed(part.signature.value)) ||
      (part.type === 'tool-call' && recall(part.id, message).length > 0),
  )
}

type SignatureMap = Map<string, Signature>

async function restoreMessage(message: AssistantMessage, context: RestoreContext): Promise<AssistantMessage> {
  const content: AssistantPart[] = []
  const restored = new Set<AssistantPart>()
  const signatures: SignatureMap = new Map()
  let hasChanged = false
  for (const part of message.content) {
    const value = part.signature?.value ?? ''
    if (!isSealed(value)) {
      content.push(part)
      continue
    }
    hasChanged = true
    const opened = await context.sealer.open(value)
    for (const item of readSealedItems(opened))
      if (item.type === 'call') signatures.set(item.id, item.signature)
      else {
        content.push(item.part)
        restored.add(item.part)
      }
    if (part.type !== 'reasoning') content.push(withoutSignature(part))
    else if (opened === undefined) content.push(markUnknown(part))
  }
  const remembered =
    restored.size > 0 ? withoutCopies(content, restored) : recallCalls(message, content, signatures, context)
  if (!hasChanged && remembered === content && signatures.size === 0) return message
  const signed = remembered.map((part) => {
    const signature = part.type === 'tool-call' ? signatures.get(part.id) : undefined
    return signature === undefined ? part : freezeOwned({ ...part, signature })
  })
  return freezeOwned({ ...message, content: signed })
}

/**
 * Returns the content with what is remembered of its calls: the reasoning before the first call, in place of the readable text
 * that the client kept of it, unless the client sent signed reasoning itself. Adds the signatures of calls to the map.
 */
function recallCalls(
  message: AssistantMessage,
  content: readonly AssistantPart[],
  signatures: SignatureMap,
  { recall }: RestoreContext,
): readonly AssistantPart[] {
  // Calls of one answer remember the same reasoning.
  const byText = new Map<string, ReasoningPart>()
  const calls = new Map(content.flatMap((part) => (part.type === 'tool-call' ? [[part.id, part]] : [])))
  for (const [id, { signature }] of calls)
    for (const item of recall(id, message)) {
      if (item.type === 'reasoning') byText.set(JSON.stringify(item.part), item.part)
      else if (signature === undefined && !signatures.has(item.id)) signatures.set(item.id, item.signature)
    }
  const reasoning = new Set(byText.values())
  const hasSigned = content.some(({ type, signature }) => type === 'reasoning' && signature !== undefined)
  if (hasSigned || reasoning.size === 0) return content
  const rest = withoutCopies(content, reasoning)
  const firstCall = rest.findIndex(({ type }) => type === 'tool-call')
  return [...rest.slice(0, firstCall), ...reasoning, ...rest.slice(firstCall)]
}

/** Returns the content without unsigned reasoning that was not restored: the readable copies of what was restored. */
function withoutCopies(
  content: readonly AssistantPart[],
  restored: ReadonlySet<AssistantPart>,
): readonly AssistantPart[] {
  return content.filter(
    (part) => part.type !== 'reasoning' || part.signature !== undefined || restored.has(part),
  )
}

function withoutSignature(part: AssistantPart): AssistantPart {
  const { signature: _signature, ...rest } = part
  return freezeOwned(rest)
}

function markUnknown(part: ReasoningPart): ReasoningPart {
  return attachSignature(part, { vendor: UNKNOWN_VENDOR, value: part.signature?.value ?? '' })
}
