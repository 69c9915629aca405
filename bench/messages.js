// @ts-check
// The cost of `Messages` compared with a plain array: appending, finding by id, iterating.
import { Messages, user } from 'interlingua'

const COUNT = 100_000
const label = COUNT.toLocaleString('en')

const ready = Array.from({ length: COUNT }, (_, index) => user(`Message ${index}`, { id: `msg_${index}` }))

function grown() {
  let messages = Messages.of()
  for (const message of ready) messages = messages.append(message)
  return messages
}

function pushed() {
  /** @type {typeof ready} */
  const list = []
  for (const message of ready) list.push(message)
  return list
}

const conversation = grown()
const array = pushed()
const byId = new Map(array.map((message) => [message.id, message]))

/** @param {(id: string) => { id: string } | undefined} find */
function countFound(find) {
  let found = 0
  for (const { id } of ready) if (find(id)?.id === id) found++
  return found
}

/** @param {Iterable<{ id: string }>} messages */
function lengthOfIds(messages) {
  let length = 0
  for (const { id } of messages) length += id.length
  return length
}

/**
 * Each side returns a number, so that no work can be optimized away; both must return the same.
 * @type {readonly import('./measure.js').Benchmark[]}
 */
export const messageRows = [
  {
    name: `append ${label} messages one by one, against push`,
    target: 5,
    ours: () => grown().size,
    plain: () => pushed().length,
  },
  {
    name: `get ${label} messages by id, against a Map`,
    ours: () => countFound((id) => conversation.get(id)),
    plain: () => countFound((id) => byId.get(id)),
  },
  {
    name: `iterate over ${label} messages, against an array`,
    ours: () => lengthOfIds(conversation),
    plain: () => lengthOfIds(array),
  },
]
