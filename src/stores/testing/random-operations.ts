import { assert } from './assertions.ts'
import { user } from '../../canonical/build/messages.ts'
import type { Message } from '../../canonical/model/message.ts'
import { textOf } from '../../canonical/read/message-content.ts'
import { type ConversationStorage, DEFAULT_SECTION } from '../conversation-storage.ts'
import { listPath, NaiveSession } from './naive-session.ts'

/** One operation. The numbers select among the sessions and messages that exist when it runs. */
export interface RandomOperation {
  readonly kind: keyof typeof OPERATION_WEIGHTS
  readonly sessionPick: number
  readonly messagePick: number
  readonly text: string
}

/** The operations, and how often each is drawn in relation to the others. */
export const OPERATION_WEIGHTS = {
  create: 1,
  append: 4,
  sync: 2,
  setHead: 5,
  fork: 2,
  branchOffFork: 6,
  replace: 3,
  annotate: 1,
  remove: 3,
  label: 1,
  unlabel: 1,
  saveStore: 2,
  exportImport: 1,
  delete: 1,
} as const

/** Operations that mostly concern the newest session, so that chains of forks come about before others break them. */
const GROWING_KINDS: ReadonlySet<string> = new Set(['append', 'setHead', 'fork', 'branchOffFork'])

/** Limits that keep each comparison short, however many operations run. */
const MAX_SESSIONS = 7
const MAX_MESSAGES = 60

/** Sessions in a storage and the same sessions as a model; every operation is applied to both. */
export class ModelledStorage {
  readonly storage: ConversationStorage
  readonly sessions: Map<string, NaiveSession> = new Map()
  /** The operations that were applied, as code. */
  readonly log: string[] = []
  #count = 0

  constructor(storage: ConversationStorage) {
    this.storage = storage
  }

  #createId(): string {
    this.#count += 1
    return `n${this.#count}`
  }

  /** Applies an operation; one that selects a missing message has no effect. */
  async apply(operation: RandomOperation): Promise<void> {
    const names = [...this.sessions.keys()]
    const isNewest = GROWING_KINDS.has(operation.kind) && operation.sessionPick % 3 !== 0
    const name = isNewest ? names.at(-1) : names[operation.sessionPick % names.length]
    const session = this.sessions.get(name ?? '')
    if (name === undefined || session === undefined) return this.#create()
    const target = { name, session, ...operation }
    const isAdded = ['create', 'fork', 'branchOffFork', 'exportImport'].includes(operation.kind)
    // The oldest session is the one that most others depend on.
    if (isAdded && names.length >= MAX_SESSIONS) return this.#delete(names[0] ?? name)
    if (session.ids().length > MAX_MESSAGES) return this.#delete(name)
    const ids = session.ids()
    const [id, section] = ids[operation.messagePick % ids.length] ?? []
    if (operation.kind === 'create') return this.#create()
    if (operation.kind === 'append') return this.#append(target)
    if (operation.kind === 'branchOffFork') return this.#branchOffFork(target)
    if (operation.kind === 'sync') return this.#sync(target)
    if (operation.kind === 'saveStore') return this.#saveStore(target)
    if (operation.kind === 'exportImport') return this.#exportImport(target)
    if (operation.kind === 'delete') return this.#delete(name)
    if (id === undefined || section === undefined) return undefined
    return this.#applyToMessage({ ...target, id, section })
  }

  async #create(): Promise<void> {
    const id = this.#createId()
    this.log.push(`createSession({ id: '${id}' })`)
    await this.storage.createSession({ id })
    this.sessions.set(id, new NaiveSession())
  }

  async #delete(name: string): Promise<void> {
    this.log.push(`deleteSession('${name}')`)
    assert.equal(await this.storage.deleteSession(name), true)
    this.sessions.delete(name)
  }

  async #append({ name, session, messagePick: pick, text }: Target): Promise<void> {
    const section = pick % 5 === 0 ? 'notes' : DEFAULT_SECTION
    const texts = [text, 'b', 'c'].slice(0, 1 + (pick % 3))
    const messages = texts.map((each) => user(each, { id: this.#createId() }))
    const ids = messages.map(({ id }) => `'${id}'`).join(', ')
    this.log.push(`append('${name}', [${ids}], { section: '${section}' })`)
    const expectedHead = session.sections.get(section)?.head ?? null
    await this.storage.append(name, messages, { section, expectedHead })
    session.append(section, messages)
  }

  /** Continues a session, forks it, and continues the fork after an earlier message. */
  async #branchOffFork(target: Target): Promise<void> {
    await this.#append({ ...target, messagePick: 1 })
    const fork = { ...target, name: this.#createId(), session: target.session.fork() }
    this.log.push(`fork('${target.name}', { id: '${fork.name}' })`)
    await this.storage.fork(target.name, { id: fork.name })
    this.sessions.set(fork.name, fork.session)
    const ids = fork.session.ids()
    const [id = '', section = ''] = ids[target.messagePick % ids.length] ?? []
    await this.#applyToMessage({ ...fork, kind: 'setHead', id, section })
    await this.#append(fork)
  }

  async #sync({ name, session, messagePick: pick, text }: Target): Promise<void> {
    const section = session.section(DEFAULT_SECTION)
    const known = listPath(section).slice(0, pick % 4)
    const texts = [...known.map(([, each]) => each.text), ...[text, 'b'].slice(pick % 2)]
    this.log.push(`syncHistory('${name}', ${JSON.stringify(texts)})`)
    const before = new Set([...section.messages.keys()].map((id) => pathText(section, id)))
    const history = texts.map((each) => user(each, { id: this.#createId() }))
    const { added, head } = await this.storage.syncHistory(name, history)
    const longest = texts.findLastIndex((_, index) => before.has(texts.slice(0, index + 1).join('\n')))
    assert.equal(added.length, texts.length - longest - 1, 'number of messages that syncHistory() stored')
    // If several branches have the same content, the storage may use any of them.
    section.head = added[0] === undefined ? head : (added[0].parentId ?? null)
    session.append(DEFAULT_SECTION, added)
    assert.equal(pathText(section, section.head), texts.join('\n'))
  }

  async #saveStore({ name, session, messagePick: pick }: Target): Promise<void> {
    const store = await this.storage.loadStore(name)
    const changed = store.sections[pick % Math.max(store.sections.length, 1)]
    if (changed === undefined) return
    const section = changed.name
    if (pick % 7 === 0) {
      this.log.push(`saveStore('${name}', without the section '${section}')`)
      await this.storage.saveStore(name, store.section(section).remove())
      session.sections.delete(section)
    } else {
      const kept = pick % (changed.messages.size + 1)
      const next = changed.messages.at(kept)
      const added = pick % 2 === 0 ? [] : [user(this.#createId(), { id: next?.id ?? this.#createId() })]
      const ids = added.map(({ id }) => `'${id}'`).join(', ')
      this.log.push(`saveStore('${name}', '${section}' cut to ${kept} messages, then [${ids}])`)
      const messages = [...changed.messages.slice(0, kept), ...added]
      await this.storage.saveStore(name, store.section(section).set(...messages))
      if (next !== undefined) session.removeSubtree(section, next.id)
      session.append(section, added)
    }
    session.removeOrphanLabels()
  }

  async #exportImport({ name, session }: Target): Promise<void> {
    const id = this.#createId()
    this.log.push(`importSession(exportSession('${name}'), { id: '${id}' })`)
    await this.storage.importSession(this.storage.exportSession(name), { id })
    this.sessions.set(id, session.copy())
  }

  async #applyToMessage({
    kind,
    name,
    session,
    id,
    section,
    text,
    messagePick: pick,
  }: MessageTarget): Promise<void> {
    const target = session.section(section)
    const existing = target.messages.get(id)
    assert.ok(existing)
    if (kind === 'setHead') {
      this.log.push(`setHead('${name}', '${id}')`)
      await this.storage.setHead(name, id)
      target.head = id
    } else if (kind === 'fork') {
      const fork = this.#createId()
      const place = pick % 2 === 0 ? {} : { at: id }
      this.log.push(`fork('${name}', ${JSON.stringify({ id: fork, ...place })})`)
      await this.storage.fork(name, { id: fork, ...place })
      this.sessions.set(fork, session.fork(place.at))
    } else if (kind === 'replace') {
      this.log.push(`replace('${name}', '${id}', '${text}')`)
      await this.storage.replace(name, id, text)
      target.messages.set(id, { text, parent: existing.parent })
    } else if (kind === 'annotate') {
      this.log.push(`replace('${name}', '${id}', same text with metadata)`)
      await this.storage.replace(name, id, user(existing.text, { metadata: { note: text } }))
      target.messages.set(id, { ...existing, note: text })
    } else if (kind === 'remove') {
      this.log.push(`remove('${name}', '${id}')`)
      assert.equal(await this.storage.remove(name, id), true)
      session.remove(section, id)
    } else await this.#changeLabel(kind === 'label', name, session, id, text)
  }

  async #changeLabel(
    isAdded: boolean,
    name: string,
    session: NaiveSession,
    id: string,
    label: string,
  ): Promise<void> {
    const method = isAdded ? 'label' : 'unlabel'
    this.log.push(`${method}('${name}', '${id}', '${label}')`)
    await this.storage[method](name, id, label)
    const labels = session.labels.get(id) ?? new Set()
    if (isAdded) labels.add(label)
    else labels.delete(label)
    if (labels.size > 0) session.labels.set(id, labels)
    else session.labels.delete(id)
  }
}

interface Target extends RandomOperation {
  readonly name: string
  readonly session: NaiveSession
}

interface MessageTarget extends Target {
  readonly id: string
  readonly section: string
}

/** Returns the texts of the path to a message, which identify it among those with the same content. */
function pathText(section: Parameters<typeof listPath>[0], to: string | null): string {
  return listPath(section, to)
    .map(([, { text }]) => text)
    .join('\n')
}

/** Returns the comparable form of a stored message. */
export function toComparable(message: Message): readonly unknown[] {
  return [message.id, textOf(message), message.metadata?.['note'], message.parentId ?? null]
}
