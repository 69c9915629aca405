import { type Message, textOf, toolCall, toolResultsOf, validate } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { type BusyOptions, Conversation, type ConversationStorage, memoryStorage } from 'interlingua/stores'
import { expect } from 'vitest'

export const texts = (messages: Iterable<Message>): string[] =>
  Array.from(messages, (message) => textOf(message))

/** A tool that works until `finish` is called or its run is aborted. */
export function createSlowTool(): {
  readonly slow: ReturnType<typeof tool>
  readonly started: Promise<void>
  readonly finish: () => void
  readonly runs: string[]
} {
  const runs: string[] = []
  let start = (): void => {}
  let finish = (): void => {}
  const started = new Promise<void>((resolve) => (start = resolve))
  const end = new Promise<string>((resolve) => (finish = () => resolve('worked')))
  const slow = tool({
    name: 'slow',
    needsApproval: ({ ask }: { ask?: boolean }) => ask === true,
    run: (_input, { call }) => {
      runs.push(call.id)
      start()
      return end
    },
  })
  return { slow, started, finish, runs }
}

export interface Setup {
  readonly storage: ConversationStorage
  readonly open: (options?: BusyOptions) => Conversation
}

/** Opens the same conversation as often as wanted, as several processes would. */
export async function setUp(
  tools: readonly ReturnType<typeof tool>[],
  ask = false,
  storage: ConversationStorage = memoryStorage(),
): Promise<Setup> {
  const { id: session } = await storage.createSession()
  const model = scripted(({ messages }) => {
    const last = [...messages].at(-1)
    if (last?.role === 'tool') return 'Done.'
    return last !== undefined && textOf(last) === 'Work'
      ? toolCall({ id: 'c1', name: 'slow', arguments: { ask } })
      : `Re: ${last === undefined ? '' : textOf(last)}`
  })
  const agent = new Agent({ model, tools: [...tools] })
  return { storage, open: (options) => new Conversation({ agent, storage, session, ...options }) }
}

/** Checks the texts of a conversation, that it is valid, and that no call has failed. */
export async function expectComplete({ open, storage }: Setup, expected: readonly string[]): Promise<void> {
  const messages = await open().messages()
  expect(texts(messages)).toEqual(expected)
  expect(validate(messages)).toEqual([])
  expect(messages.toArray().flatMap(toolResultsOf)).toEqual(
    expect.not.arrayContaining([expect.objectContaining({ isError: true })]),
  )
  expect(await storage.verify()).toEqual([])
  expect(await storage.lease(open().options.session)).toBeUndefined()
}
