import { type ChatRequest, type Loss, Messages, system, user } from 'interlingua'
import { expect, test } from 'vitest'
import { subjects } from '../dialect-table.ts'

/** A part that no dialect has. */
const foreign = { type: 'opaque', dialect: 'nobody', value: { type: 'teleport' } } as const

/** Requests whose text is tried in a way that gives up: their messages make no element of the list, or one. */
const messages = Array.from({ length: 20 }, (_, index) => system([`Rule ${index}`, foreign]))
const conversations: readonly (readonly [string, () => ChatRequest['messages']])[] = [
  ['only rules', () => messages],
  ['one message of the user', () => [...messages, user('Hi')]],
  [
    'messages of the user that are joined',
    () => messages.map((_, index) => user([`Part ${index}`, foreign])),
  ],
  ['a growing list', () => Messages.of(...messages)],
]

test.each(
  subjects.flatMap((subject) =>
    conversations.map(([title, create]) => ({ ...subject, title, conversation: create() })),
  ),
)('$name reports each loss once for $title', ({ dialect, conversation }) => {
  const request = { messages: conversation }
  // A growing list is encoded in another way from the second time on.
  for (let time = 0; time < 3; time++) {
    const called: Loss[] = []
    const onLoss = (loss: Loss): 'allow' => {
      called.push(loss)
      return 'allow'
    }
    const { losses } = dialect.encodeRequestText(request, { onLoss })
    expect(called.length).toBeGreaterThan(0)
    expect(called).toEqual(losses.filter(({ severity }) => severity === 'loss'))
  }
})
