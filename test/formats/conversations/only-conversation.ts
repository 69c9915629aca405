import type { ChatRequest } from 'interlingua'
import { fromConversations } from 'interlingua/formats'

/** Returns the only conversation of an input. */
export function only(input: unknown): ReturnType<typeof fromConversations>[number] {
  const [conversation, ...others] = fromConversations(input)
  if (conversation === undefined || others.length > 0) throw new Error('not one conversation')
  return conversation
}

/** Returns the role and the types of the parts of each message. */
export const describeParts = ({ messages }: ChatRequest): readonly string[] =>
  [...messages].map(({ role, content }) => `${role}: ${content.map(({ type }) => type).join(', ')}`)
