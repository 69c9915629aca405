import { InterlinguaError } from '../../errors.ts'
import type { Json } from '../../wire/json.ts'
import { createUniqueNamer } from '../../wire/unique-names.ts'
import { updateMessage, type MessageChanges } from '../update/message.ts'
import type { Message, Role, ToolMessage } from '../model/message.ts'
import type { Part } from '../model/part.ts'
import { addUsage } from '../model/usage.ts'
import { parsePart } from '../parse/parse.ts'
import { checkAndFreezeMessage } from '../shape/message.ts'

/** Merges consecutive messages of one role, if the role is to be merged. */
export function mergeConsecutiveMessages(
  messages: readonly Message[],
  merges: (role: Role) => boolean,
): readonly Message[] {
  const runs: Message[][] = []
  for (const message of messages) {
    const run = runs.at(-1)
    if (run?.[0]?.role === message.role && merges(message.role)) run.push(message)
    else runs.push([message])
  }
  return runs.flatMap(mergeRun)
}

/** Merges a group into one message: id and time of the first, later metadata over earlier, usage added up. */
function mergeRun(run: readonly Message[]): readonly Message[] {
  const [first] = run
  if (first === undefined || run.length === 1) return run
  const metadata = Object.fromEntries(run.flatMap((message) => Object.entries(message.metadata ?? {})))
  const answers = run.filter((message) => message.role === 'assistant')
  const usages = answers.flatMap(({ usage }) => usage ?? [])
  const finish = answers.findLast((answer) => answer.finish !== undefined)?.finish
  return [
    updateMessage<Message>(first, {
      content: run.flatMap((message): readonly Part[] => message.content),
      ...(Object.keys(metadata).length > 0 && { metadata }),
      ...(usages.length > 0 && { usage: addUsage(...usages) }),
      ...(finish !== undefined && { finish }),
    } as MessageChanges),
  ]
}

/** Splits tool messages into one message per result; the first result keeps the id of the message. */
export function splitToolResults(messages: readonly Message[]): readonly Message[] {
  const freeId = createUniqueNamer(new Set(messages.map(({ id }) => id)))
  return messages.flatMap((message): readonly Message[] =>
    message.role === 'tool' && message.content.length > 1 ? splitToolMessage(message, freeId) : [message],
  )
}

function splitToolMessage(message: ToolMessage, freeId: (id: string) => string): readonly ToolMessage[] {
  const { id } = message
  return message.content.map((part, index) =>
    checkAndFreezeMessage({ ...message, id: index === 0 ? id : freeId(id), content: [part] }),
  )
}

/** Sets a field on the last part of a message; an unknown field is kept as an unknown key. */
export function setFieldOnLastPart(message: Message, key: string, value: Json): Message {
  const { cache, ...last }: Part = message.content.at(-1) ?? { type: 'text', text: '' }
  const kept = cache !== undefined && key !== 'cache_control' ? { cache } : {} // `cache_control` is an alias of `cache`.
  const part = parsePart({ ...last, ...kept, [key]: value })
  return updateMessage(message, { content: [...message.content.slice(0, -1), part] } as MessageChanges)
}

/** Returns the number of messages at the beginning that have one of the roles. */
export function countLeadingMessages(messages: readonly Message[], roles: readonly Role[]): number {
  const index = messages.findIndex(({ role }) => !roles.includes(role))
  return index === -1 ? messages.length : index
}

/** Returns the error for an id that no message has. */
export function createUnknownIdError(): InterlinguaError {
  const hint = 'Check has(id) first, or append the message.'
  return new InterlinguaError('unknown-id', 'No message of the conversation has this id', { hint })
}
