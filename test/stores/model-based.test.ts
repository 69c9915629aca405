import fc from 'fast-check'
import { textOf, user } from 'interlingua'
import { type ConversationStorage, memoryStorage } from 'interlingua/stores'
import { postgresStorage } from 'interlingua/stores/postgres'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from './postgres.ts'

/** The simplest model of a session: nodes by id, each with its parent; a fork is a copy. */
interface Plain {
  readonly nodes: Map<string, { readonly text: string; readonly parent: string | null }>
  leaf: string | null
}

/** One operation, with numbers that select among the existing sessions and messages. */
interface Act {
  readonly what: 'append' | 'history' | 'navigate' | 'fork' | 'replace' | 'remove' | 'delete' | 'begin'
  readonly session: number
  readonly message: number
  readonly text: string
}

const act: fc.Arbitrary<Act> = fc.record({
  what: fc.constantFrom<Act['what']>(
    'append',
    'append',
    'append',
    'history',
    'navigate',
    'fork',
    'replace',
    'remove',
    'delete',
    'begin',
  ),
  session: fc.nat(5),
  message: fc.nat(20),
  text: fc.constantFrom('a', 'b', 'c'),
})

function pathOf({ nodes }: Plain, to: string | null): string[] {
  const ids: string[] = []
  for (let id = to; id !== null; id = nodes.get(id)?.parent ?? null) ids.unshift(id)
  return ids
}

const textsOf = (plain: Plain, ids: readonly string[]): string[] =>
  ids.map((id) => plain.nodes.get(id)?.text ?? '')

/** The simplest storage of sessions, and the expected effect of each operation. */
class Reference {
  readonly sessions = new Map<string, Plain>()
  #count = 0

  /** Applies an operation to the model and to a storage. */
  async step({ what, session, message, text }: Act, storage: ConversationStorage): Promise<void> {
    const names = [...this.sessions.keys()]
    const name = names[session % Math.max(names.length, 1)]
    const fresh = `n${++this.#count}`
    if (name === undefined || what === 'begin') {
      await storage.createSession({ id: fresh })
      this.sessions.set(fresh, { nodes: new Map(), leaf: null })
      return
    }
    const plain = this.sessions.get(name) as Plain
    const chosen = [...plain.nodes.keys()][message % Math.max(plain.nodes.size, 1)]
    if (what === 'append') {
      await storage.append(name, user(text, { id: fresh }), { expectedHead: plain.leaf })
      plain.nodes.set(fresh, { text, parent: plain.leaf })
      plain.leaf = fresh
    } else if (what === 'history')
      await this.#history(storage, name, plain, [text, 'b', text].slice(0, 1 + (message % 3)))
    else if (what === 'delete') {
      await storage.deleteSession(name)
      this.sessions.delete(name)
    } else if (chosen !== undefined) await this.#onMessage(what, storage, name, plain, chosen, fresh, text)
  }

  async #history(
    storage: ConversationStorage,
    name: string,
    plain: Plain,
    words: readonly string[],
  ): Promise<void> {
    const ids = words.map(() => `n${++this.#count}`)
    const { added } = await storage.syncHistory(
      name,
      words.map((word, index) => user(word, { id: ids[index] ?? '' })),
    )
    // Of several branches with the same content, the storage may use any: the model follows after checking
    // the content.
    for (const message of added) {
      plain.nodes.set(message.id, { text: textOf(message), parent: message.parentId ?? null })
    }
    plain.leaf = (await storage.head(name)) ?? null
    expect(textsOf(plain, pathOf(plain, plain.leaf))).toEqual(words)
    const stored = [...plain.nodes.keys()].filter((id) => !added.some((each) => each.id === id))
    const lines = stored.map((id) => textsOf(plain, pathOf(plain, id)).join())
    const longest = Math.max(
      0,
      ...words.map((_, index) => (lines.includes(words.slice(0, index + 1).join()) ? index + 1 : 0)),
    )
    expect(added.length).toBe(words.length - longest)
  }

  async #onMessage(
    what: Act['what'],
    storage: ConversationStorage,
    name: string,
    plain: Plain,
    chosen: string,
    fresh: string,
    text: string,
  ): Promise<void> {
    const node = plain.nodes.get(chosen)
    if (node === undefined) return
    if (what === 'navigate') {
      await storage.setHead(name, chosen)
      plain.leaf = chosen
    } else if (what === 'replace') {
      await storage.replace(name, chosen, text)
      plain.nodes.set(chosen, { ...node, text })
    } else if (what === 'fork') {
      await storage.fork(name, { id: fresh, at: chosen })
      const kept = pathOf(plain, chosen).map((id) => [id, plain.nodes.get(id)] as const)
      this.sessions.set(fresh, { nodes: new Map(kept as [string, never][]), leaf: chosen })
    } else if (what === 'remove') {
      await storage.remove(name, chosen)
      plain.nodes.delete(chosen)
      for (const [id, each] of plain.nodes)
        if (each.parent === chosen) plain.nodes.set(id, { ...each, parent: node.parent })
      if (plain.leaf === chosen) plain.leaf = node.parent
    }
  }

  async expectSame(storage: ConversationStorage): Promise<void> {
    const { sessions } = await storage.sessions({ limit: 1000 })
    expect(sessions.map(({ id }) => id).toSorted()).toEqual([...this.sessions.keys()].toSorted())
    for (const [name, plain] of this.sessions) {
      const path = await storage.messages(name)
      expect(Array.from(path, ({ id }) => id)).toEqual(pathOf(plain, plain.leaf))
      expect(Array.from(path, (message) => textOf(message))).toEqual(
        textsOf(plain, pathOf(plain, plain.leaf)),
      )
      const parents = new Set([...plain.nodes.values()].map(({ parent }) => parent))
      const tips = [...plain.nodes.keys()].filter((id) => !parents.has(id))
      expect((await storage.branches(name)).map(({ head }) => head).toSorted()).toEqual(tips.toSorted())
    }
    await this.#expectVisible(storage)
    expect(await storage.verify()).toEqual([])
  }

  /** A session has its own messages, and no others. */
  async #expectVisible(storage: ConversationStorage): Promise<void> {
    const all = new Set([...this.sessions.values()].flatMap(({ nodes }) => [...nodes.keys()]))
    for (const [name, { nodes }] of this.sessions) {
      const visible: string[] = []
      for (const id of all) if ((await storage.get(name, id)) !== undefined) visible.push(id)
      expect(visible.toSorted()).toEqual([...nodes.keys()].toSorted())
    }
  }
}

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const SOAK = process.env['SOAK'] !== undefined

const backends: Readonly<Record<string, { open: () => Promise<ConversationStorage>; runs: number }>> = {
  memory: { open: async () => memoryStorage(), runs: SOAK ? 5_000 : 200 },
  sqlite: { open: () => sqliteStorage(':memory:'), runs: SOAK ? 2_000 : 60 },
  postgres: { open: () => postgresStorage(database.url), runs: SOAK ? 300 : 8 },
}

describe.each(Object.entries(backends))('%s', (_name, { open, runs }) => {
  test('any sequence of operations yields the same sessions as the model', async () => {
    const storage = await open()
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 40 }), async (acts) => {
        const tenant = storage.forTenant(`t${++count}`)
        const reference = new Reference()
        for (const each of acts) await reference.step(each, tenant)
        await reference.expectSame(tenant)
      }),
      { numRuns: runs },
    )
    await storage.close()
  })
})
