import type { JsonObject } from 'interlingua'

/** The number of messages or items of a session. */
const LENGTH = 446

/** A schema as tool libraries write it. */
export function schemaOf(...names: readonly string[]): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
    additionalProperties: false,
  }
}

/** The tools of the agent, and their parameters. */
export const names = ['Bash', 'Read', 'Edit'] as const
export const inputs = { Bash: ['command'], Read: ['file_path'], Edit: ['file_path', 'old_string'] } as const
/** Returns the tool that a step calls, and the arguments of the call. */
export const nameOf = (step: number): (typeof names)[number] => names[step % names.length] ?? 'Bash'
export const argumentsOf = (step: number): JsonObject =>
  Object.fromEntries(inputs[nameOf(step)].map((key) => [key, `${key} ${step}`]))

/** Returns the first messages, and the messages of as many steps as the session needs. */
export function fill(
  first: readonly JsonObject[],
  step: (index: number) => readonly JsonObject[],
): readonly JsonObject[] {
  const messages = [...first]
  for (let index = 0; messages.length < LENGTH; index++) messages.push(...step(index))
  return messages
}
