import type { Json } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { createCallIdGenerator } from '../shared/call-ids.ts'
import { getFlavor } from './flavors.ts'
import type { GeminiHints } from './hints.ts'
import { OpenCalls } from '../shared/open-calls.ts'

/** Resolves the ids of tool calls and tool results while a conversation is decoded; the wire may have none. */
export interface CallIdResolver {
  /** Returns the id of a tool call: its own, or a generated one that is the same for the same history. */
  resolveCall(id: Json | undefined, name: string, argumentsText: () => string): string
  /** Returns the id of the tool call that a result belongs to: by id, else the oldest open call of that name. */
  resolveResult(id: Json | undefined, name: string, text: () => string): string
  /** Returns true if the id was generated for a tool call without an id. */
  isGenerated(id: string): boolean
  /** The host that sent the body. */
  readonly flavor: string | undefined
  /** Returns the hint for an id of a host that has no ids according to its row. */
  createHostHint(id: Json | undefined): GeminiHints
}

/** Creates a resolver; `responseKey` distinguishes responses with the same content. */
export function createCallIdResolver({ flavor }: DecodeOptions, responseKey?: string): CallIdResolver {
  const ids = createCallIdGenerator()
  if (responseKey !== undefined) ids.recordId(responseKey)
  const generated = new Set<string>()
  const open = new OpenCalls()
  return {
    resolveCall(id, name, argumentsText) {
      const own = typeof id === 'string' && id !== '' ? id : undefined
      if (own !== undefined) ids.recordId(own)
      const callId = own ?? ids.next(name, argumentsText())
      if (own === undefined) generated.add(callId)
      open.add({ id: callId, name })
      return callId
    },
    resolveResult(id, name, text) {
      const own = typeof id === 'string' && id !== '' ? id : undefined
      const call = own === undefined ? open.findByName(name) : open.findById(own)
      if (call !== undefined) open.close(call)
      return own ?? call?.id ?? ids.next(name, text())
    },
    flavor,
    isGenerated: (id) => generated.has(id),
    createHostHint(id) {
      const isAccepted = flavor !== undefined && getFlavor({ flavor }).supportsCallIds === false
      return isAccepted && typeof id === 'string' && id !== '' ? { acceptedByHost: flavor } : {}
    },
  }
}
