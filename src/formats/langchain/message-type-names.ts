import type { Json } from '../../wire/json.ts'

/** The types of LangChain messages, by their class. */
export const MESSAGE_CLASSES: { readonly [type: string]: string } = {
  human: 'HumanMessage',
  ai: 'AIMessage',
  system: 'SystemMessage',
  tool: 'ToolMessage',
  function: 'FunctionMessage',
}

/** Other names of the types, in roles and in Python. */
const TYPE_ALIASES: { readonly [type: string]: string } = {
  user: 'human',
  assistant: 'ai',
  developer: 'system',
}

/** Returns the type that a type, a class or a role names; undefined for an unknown one. */
export function toMessageType(name: Json | undefined): string | undefined {
  if (typeof name !== 'string') return undefined
  const alias = name.replace(/Message(Chunk)?$/, '').toLowerCase()
  const type = Object.hasOwn(TYPE_ALIASES, alias) ? TYPE_ALIASES[alias] : alias
  return type !== undefined && Object.hasOwn(MESSAGE_CLASSES, type) ? type : undefined
}
