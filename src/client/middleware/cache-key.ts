import type { Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { digestJson } from '../../wire/digest.ts'
import { remembering } from '../../wire/frozen.ts'
import type { Json } from '../../wire/json.ts'
import type { Model } from '../model.ts'

/** What a message or part says about itself that no model is told. */
const UNTOLD: ReadonlySet<string> = new Set([
  'id',
  'createdAt',
  'parentId',
  'metadata',
  'usage',
  'finish',
  'origin',
])

/** Digest of the model and of everything in a request that can make a difference to its answer. */
export function cacheKey(request: ChatRequest, { provider, name }: Model): string {
  const { messages, model: _model, stream: _stream, user: _user, metadata: _metadata, ...settings } = request
  return digestJson(
    asJson({
      provider,
      name,
      settings,
      messages: Array.from(messages, (message) => digestOfMessage(message)),
    }),
  )
}

/** A conversation comes back with each of its turns: a message is digested once. */
const digestOfMessage = remembering((message: Message) => {
  const content = message.content.map((part) => told(part, part.type === 'tool-call'))
  return digestJson(asJson({ ...told(message), content }))
})

/** The id of a call is told: its result names it. */
function told(value: object, withId = false): object {
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => !UNTOLD.has(key) || (withId && key === 'id')),
  )
}

/** Without the keys that say nothing. */
function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}
