import { assistant, type Message, toolCall, toolResults, user } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { type ConversationStorage, memoryStorage } from 'interlingua/stores'
import type { AdaptValue, CreateArguments } from './hostile-calls.ts'
import { fillStorage } from './storage-calls.ts'

/** Calls of the methods of a result, by name; `''` is the result itself, if it is a function. */
export type CallsByName = { readonly [name: string]: CreateArguments | undefined }

/** How the law calls a public function. */
export interface FunctionRow {
  /** Arguments with which it succeeds. */
  readonly given: CreateArguments
  /** Moves files that a hostile path would create into the folder of the test. */
  readonly adapt?: AdaptValue
  /** True if another row calls the same code: its methods are called in a soak only. */
  readonly isSoakOnly?: boolean
  /** Prepares its result, and returns the calls of its methods. */
  readonly describeResult?: (result: never) => Promise<CallsByName> | CallsByName
}

export const createAgent = (): Agent =>
  new Agent({
    model: scripted(() => 'Hello'),
    tools: [tool({ name: 'look', input: { type: 'object' }, run: () => 'seen' })],
  })

export const chat: { readonly messages: readonly Message[] } = {
  messages: [user('Hi'), assistant([toolCall({ id: 'c', name: 'look', arguments: {} })]), toolResults([])],
}

/** A storage with the session `s`. */
export const storage: ConversationStorage = memoryStorage()
await fillStorage(storage)
