import fc from 'fast-check'
import { type Message, Messages, type Part, type Role, ROLES, type Usage } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyMessage, anyMessages } from '../../arbitraries.ts'
import { expectFrozen, expectSame, law } from '../../law-assertions.ts'

type List = readonly Message[]

/** What an operation may be given. */
interface Choice {
  /** Which message, by its place. */
  readonly pick: number
  readonly start: number
  readonly end: number | undefined
  readonly roles: readonly Role[]
  readonly added: List
  readonly other: Message
}

/** An operation, and what it should do as seen on a plain array. */
type Operation = readonly [
  act: (messages: Messages, choice: Choice) => Messages,
  model: (list: List, choice: Choice) => List,
]

/** The id of some message of the list, or one that no message has. */
const idAt = (list: List, pick: number): string => list[pick % (list.length + 1)]?.id ?? 'nowhere'
const placeOf = (list: List, wanted: string): number => list.findIndex(({ id }) => id === wanted)

const isEmptyPart = (part: Part): boolean =>
  (part.type === 'text' || part.type === 'reasoning') &&
  part.text === '' &&
  !['signature', 'citations', 'redacted'].some((key) => Object.hasOwn(part, key))

const isEmpty = ({ metadata = {}, content }: Message): boolean =>
  Object.keys(metadata).length === 0 && content.every((part: Part) => isEmptyPart(part))

const counts = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] as const

/** Two usages added up; what neither counts stays away. */
function sum(a: Usage | undefined, b: Usage | undefined): object | undefined {
  if (a === undefined && b === undefined) return undefined
  const counted = counts.filter((key) => a?.[key] !== undefined || b?.[key] !== undefined)
  return Object.fromEntries(counted.map((key) => [key, (a?.[key] ?? 0) + (b?.[key] ?? 0)]))
}

/** Two neighbours as one: the first with the second's parts, metadata, usage and end. */
function joined(first: Message, second: Message): Message {
  const entries = [first, second].flatMap(({ metadata = {} }) => Object.entries(metadata))
  const [a, b] = [first, second].map((message) => (message.role === 'assistant' ? message : undefined))
  const usage = sum(a?.usage, b?.usage)
  return {
    ...first,
    content: [...first.content, ...second.content],
    ...(entries.length > 0 && { metadata: Object.fromEntries(entries) }),
    ...(usage && { usage }),
    ...(b?.finish && { finish: b.finish }),
  } as Message
}

function joinNeighbours(list: List, roles: readonly Role[]): List {
  return list.reduce<List>((done, message) => {
    const last = done.at(-1)
    const together = last?.role === message.role && roles.includes(message.role)
    return together ? [...done.slice(0, -1), joined(last, message)] : [...done, message]
  }, [])
}

const split = (list: List): List => {
  const taken = list.map(({ id }) => id)
  const free = (id: string): string => {
    let count = 2
    while (taken.includes(`${id}_${count}`)) count++
    taken.push(`${id}_${count}`)
    return `${id}_${count}`
  }
  return list.flatMap((message) =>
    message.role === 'tool' && message.content.length > 1
      ? message.content.map((part, index) => {
          return { ...message, id: index === 0 ? message.id : free(message.id), content: [part] }
        })
      : [message],
  )
}

const all = (list: List, roles: readonly Role[]): boolean => list.every(({ role }) => roles.includes(role))
const spoken: readonly Role[] = ['system', 'developer', 'user', 'assistant']
const remap: { readonly [role in Role]?: Role } = { system: 'developer', user: 'assistant' }

/** Done twice, these do no more than done once. */
const settling: {
  readonly [name: string]: readonly [(messages: Messages) => Messages, (list: List) => List]
} = {
  withoutEmpty: [(messages) => messages.withoutEmpty(), (list) => list.filter((each) => !isEmpty(each))],
  mergeConsecutive: [(messages) => messages.mergeConsecutive(), (list) => joinNeighbours(list, spoken)],
  joinToolResults: [(messages) => messages.joinToolResults(), (list) => joinNeighbours(list, ['tool'])],
  splitToolResults: [(messages) => messages.splitToolResults(), split],
  remapRoles: [
    (messages) => messages.remapRoles(remap),
    (list) => list.map((each) => ({ ...each, role: remap[each.role] ?? each.role }) as Message),
  ],
}

const operations: { readonly [name: string]: Operation } = {
  ...settling,
  append: [(messages, { added }) => messages.append(added), (list, { added }) => [...list, ...added]],
  appendEach: [
    (messages, { added }) => added.reduce((grown, each) => grown.append(each), messages),
    (list, { added }) => [...list, ...added],
  ],
  appendForks: [
    (messages, { added, other }) => messages.append(other).append(messages.append(added)),
    (list, { added, other }) => [...list, other, ...list, ...added],
  ],
  prepend: [(messages, { added }) => messages.prepend(...added), (list, { added }) => [...added, ...list]],
  replaceLast: [
    (messages, { other }) => messages.replaceLast(other),
    (list, { other }) => [...list.slice(0, -1), other],
  ],
  remove: [
    (messages, { pick }) => messages.remove(idAt(messages.toArray(), pick)),
    (list, { pick }) => list.filter((_, index) => index !== placeOf(list, idAt(list, pick))),
  ],
  replace: [
    (messages, { pick, other }) => {
      const id = idAt(messages.toArray(), pick)
      return messages.has(id) ? messages.replace(id, other) : messages
    },
    (list, { pick, other }) => {
      const at = placeOf(list, idAt(list, pick))
      return list.map((each, index) => (index === at ? other : each))
    },
  ],
  slice: [
    (messages, { start, end }) => messages.slice(start, end),
    (list, { start, end }) => list.slice(start, end),
  ],
  reversed: [(messages) => messages.reversed(), (list) => list.toReversed()],
  byRoles: [
    (messages, { roles }) => messages.byRoles(...roles),
    (list, { roles }) => list.filter(({ role }) => roles.includes(role)),
  ],
  exceptRoles: [
    (messages, { roles }) => messages.exceptRoles(...roles),
    (list, { roles }) => list.filter(({ role }) => !roles.includes(role)),
  ],
  takeWhileRoles: [
    (messages, { roles }) => messages.takeWhileRoles(...roles),
    (list, { roles }) => list.filter((_, index) => all(list.slice(0, index + 1), roles)),
  ],
  dropWhileRoles: [
    (messages, { roles }) => messages.dropWhileRoles(...roles),
    (list, { roles }) => list.filter((_, index) => !all(list.slice(0, index + 1), roles)),
  ],
}

const place = fc.integer({ min: -5, max: 5 })
const anyStep = fc.record({
  from: fc.nat(99),
  name: fc.constantFrom('appendEach', 'append', ...Object.keys(operations)),
  pick: fc.nat(9),
  start: place,
  end: fc.option(place, { nil: undefined }),
  roles: fc.subarray([...ROLES]),
})
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

/** Ready messages, and operations, each applied to some value made before: a tree of forks and chains. */
const anyHistory = fc.tuple(
  fc.array(anyMessage, { minLength: 1, maxLength: 6 }),
  fc.array(anyStep, { minLength: 1, maxLength: 12 }),
)

interface Grown {
  readonly name: string
  readonly messages: Messages
  readonly list: List
}

/** Every value that a history makes, beside its plain array. */
function grow(
  [ready, steps]: readonly [List, readonly Step[]],
  see: (messages: Messages) => void = () => {},
): readonly Grown[] {
  const root: Grown = { name: 'from', messages: Messages.from(ready), list: ready }
  const made = [root]
  see(root.messages)
  for (const { from, name, ...step } of steps) {
    const { messages, list } = made[from % made.length] ?? root
    const [act, model] = operations[name] ?? expect.fail(name)
    const [other = expect.fail('no message')] = ready
    const choice = { ...step, other, added: ready.slice(step.pick % ready.length) }
    const grown = { name, messages: act(messages, choice), list: model(list, choice) }
    made.push(grown)
    see(grown.messages)
  }
  return made
}

describe('laws of Messages', () => {
  test('[r130, r141, r142, r143, r145, r146] each operation does what it does to a plain array', () => {
    law(anyHistory, (history) => {
      for (const { name, messages, list } of grow(history)) {
        expectSame([name, messages.toArray()], [name, list])
      }
    })
  })

  test('[r129] no operation changes a message, or a value that was made before', () => {
    law(anyHistory, (history) => {
      const before = JSON.stringify(history[0])
      const snapshots: string[] = []
      const made = grow(history, (messages) => snapshots.push(JSON.stringify(messages)))
      for (const [index, { messages }] of made.entries()) {
        expect(JSON.stringify(messages) === snapshots[index], 'it is as it was').toBe(true)
      }
      new Set(made.flatMap(({ messages }) => messages.toArray())).forEach(expectFrozen)
      expect(JSON.stringify(history[0])).toBe(before)
    })
  })

  test('[r129, r130, r135, r139] size, at, get, has, first, last and iteration agree with the array', () => {
    law(anyHistory, (history) => {
      const made = grow(history)
      const ids = new Set(made.flatMap(({ list }) => list.map(({ id }) => id)))
      for (const { messages } of made) expectAgreement(messages, [...ids, 'nowhere', 'constructor'])
    })
  })

  test('[r143, r145, r146] merging, joining, splitting, remapping or dropping empties twice is doing it once', () => {
    law(anyMessages, (list) => {
      const messages = Messages.from(list)
      for (const [name, [act]] of Object.entries(settling)) {
        const once = act(messages)
        expectSame([name, act(once).toArray()], [name, once.toArray()])
      }
      expectSame(messages.reversed().reversed().toArray(), list)
    })
  })
})

/** All ways of reading give what the array has. */
function expectAgreement(messages: Messages, ids: readonly string[]): void {
  const array = messages.toArray()
  const places = Array.from({ length: 2 * array.length + 4 }, (_, index) => index - array.length - 2)
  expectSame([messages.size, [...messages]], [array.length, array])
  expectSame([messages.first(), messages.last()], [array[0], array.at(-1)])
  expect(places.every((at) => messages.at(at) === array.at(at))).toBe(true)
  for (const id of ids) {
    const found = array.find((message) => message.id === id)
    expect([messages.get(id) === found, messages.has(id)]).toEqual([true, found !== undefined])
  }
}
