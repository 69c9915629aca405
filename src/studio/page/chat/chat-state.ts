import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { AssistantMessage, Message } from '../../../canonical/model/message.ts'
import type { ToolCallPart } from '../../../canonical/model/part.ts'
import type { ModelGroup, RunAction, RunUpdate, SessionTree } from '../../api/contract.ts'
import { call, CallError, describeCallError, loseConnection, openStream } from '../api-client.ts'
import { BranchTree } from '../conversations/branch-tree.ts'
import { MessageLoader } from '../conversations/message-loader.ts'
import { openPageLocation, pageLocation } from '../navigation.ts'
import { addAnswerEvent, type ArrivingAnswer, EMPTY_ANSWER, toAnswerMessage } from './arriving-answer.ts'

const MODEL_KEY = 'interlingua-model'

/** The state of a chat. A run continues while another view is open. */
class ChatState {
  readonly session: Signal<string | undefined> = signal<string | undefined>(undefined)
  readonly opened: Signal<SessionTree | undefined> = signal<SessionTree | undefined>(undefined)
  readonly loader: Signal<MessageLoader | undefined> = signal<MessageLoader | undefined>(undefined)
  /** Messages of the current run. */
  readonly added: Signal<readonly Message[]> = signal<readonly Message[]>([])
  readonly pending: Signal<readonly ToolCallPart[]> = signal<readonly ToolCallPart[]>([])
  readonly error: Signal<string | undefined> = signal<string | undefined>(undefined)
  readonly isRunning: Signal<boolean> = signal(false)
  readonly model: Signal<string> = signal(localStorage.getItem(MODEL_KEY) ?? 'demo')
  readonly groups: Signal<readonly ModelGroup[]> = signal<readonly ModelGroup[]>([
    { provider: 'demo', models: ['demo'] },
  ])
  readonly tree: ReadonlySignal<BranchTree> = computed(() => new BranchTree(this.opened.value?.nodes ?? []))
  readonly path: ReadonlySignal<readonly string[]> = computed(() => this.tree.value.pathTo(this.cut.value))
  readonly arrivingMessage: ReadonlySignal<AssistantMessage | undefined> = computed(() =>
    this.answer.value.parts.length === 0 ? undefined : toAnswerMessage(this.answer.value),
  )
  /** The last message that is shown: a run that branches off hides the ones after its start. */
  readonly cut: Signal<string | undefined> = signal<string | undefined>(undefined)
  readonly answer: Signal<ArrivingAnswer> = signal<ArrivingAnswer>(EMPTY_ANSWER)
  /** Ends the current run. A run whose controller was replaced belongs to a session that is not open any more. */
  #controller = new AbortController()
  #reloadCount = 0

  selectModel(name: string): void {
    this.model.value = name
    localStorage.setItem(MODEL_KEY, name)
  }

  async loadModels(): Promise<void> {
    this.groups.value = await call('models.list', {})
  }

  /** Opens a session, or an empty chat. A run of another session is stopped. */
  async open(session: string | undefined): Promise<void> {
    if (session === this.session.peek()) return
    this.stop()
    this.#controller = new AbortController()
    batch(() => {
      this.isRunning.value = false
      this.session.value = session
      this.opened.value = undefined
      this.loader.value = session === undefined ? undefined : new MessageLoader(session)
      this.cut.value = undefined
      this.added.value = []
      this.pending.value = []
      this.error.value = undefined
      this.answer.value = EMPTY_ANSWER
    })
    if (session !== undefined) await this.reload()
  }

  /** Continues with the branch that starts with a message. */
  async selectBranch(message: string): Promise<void> {
    const session = this.session.peek()
    if (session === undefined || this.isRunning.peek()) return
    try {
      await call('messages.select', { session, head: this.tree.peek().findLeaf(message) })
      if (session === this.session.peek()) await this.reload()
    } catch (error) {
      this.error.value = describeCallError(error)
    }
  }

  /** Reads the session anew, and the calls that wait for approval. The end of a run does so, too. */
  async reload(): Promise<void> {
    const session = this.session.peek()
    if (session === undefined || this.isRunning.peek()) return
    const count = ++this.#reloadCount
    const isOutdated = (): boolean =>
      count !== this.#reloadCount || session !== this.session.peek() || this.isRunning.peek()
    try {
      const opened = await call('sessions.open', { session })
      if (isOutdated()) return
      this.loader.peek()?.add(this.added.peek())
      const pending = await this.#findOpenCalls(opened)
      if (isOutdated()) return
      batch(() => {
        this.opened.value = opened
        this.cut.value = opened.head
        this.added.value = []
        this.answer.value = EMPTY_ANSWER
        this.pending.value = pending
      })
    } catch (error) {
      if (!isOutdated()) this.error.value = describeCallError(error)
    }
  }

  /** Returns the calls of the last message, if it waits for their results. */
  async #findOpenCalls({ head }: SessionTree): Promise<readonly ToolCallPart[]> {
    if (head === undefined) return []
    await this.loader.peek()?.load([head])
    const last = this.loader.peek()?.find(head)
    if (last?.role !== 'assistant') return []
    return last.content.filter(
      (part) => part.type === 'tool-call' && part.executedBy === undefined,
    ) as ToolCallPart[]
  }

  /**
   * Runs the model. `branchPoint` is the message after which a branch starts. Returns false if nothing was stored, so that the
   * input can be sent again.
   */
  async run(action: RunAction, branchPoint?: string): Promise<boolean> {
    if (this.isRunning.peek()) return false
    const controller = new AbortController()
    this.#controller = controller
    const isCurrent = (): boolean => this.#controller === controller
    batch(() => {
      this.isRunning.value = true
      this.error.value = undefined
      this.pending.value = []
      if (branchPoint !== undefined) this.cut.value = branchPoint === '' ? undefined : branchPoint
    })
    const session = this.session.peek()
    const nodeCount = this.opened.peek()?.nodes.length ?? 0
    const input = { model: this.model.peek(), action, ...(session !== undefined && { session }) }
    const updates = new UpdateQueue((list) => {
      if (isCurrent()) this.#apply(list)
    })
    try {
      for await (const update of openStream('chat.run', input, controller.signal)) updates.push(update)
    } catch (error) {
      if (!controller.signal.aborted) {
        this.error.value = describeCallError(error)
        if (!(error instanceof CallError)) loseConnection()
      }
    }
    updates.flush()
    if (!isCurrent()) return true
    this.isRunning.value = false
    await this.reload()
    return !isCurrent() || (this.opened.peek()?.nodes.length ?? 0) > nodeCount
  }

  stop(): void {
    this.#controller.abort()
  }

  #apply(updates: readonly RunUpdate[]): void {
    batch(() => {
      for (const update of updates) this.#applyOne(update)
    })
  }

  #applyOne(update: RunUpdate): void {
    switch (update.type) {
      case 'session':
        if (this.session.peek() === update.session) return
        this.session.value = update.session
        this.loader.value = new MessageLoader(update.session)
        if (pageLocation.peek().view !== 'chat' && pageLocation.peek().view !== '') return
        openPageLocation({ view: 'chat', item: update.session })
        return
      case 'event':
        this.answer.value = addAnswerEvent(this.answer.peek(), update.event)
        return
      case 'messages':
        this.added.value = [...this.added.peek(), ...update.messages]
        if (update.messages.some(({ role }) => role !== 'user')) this.answer.value = EMPTY_ANSWER
        return
      case 'end':
        this.pending.value = update.pending
        return
      case 'error':
        this.error.value = [update.error.message, update.error.hint].filter(Boolean).join(' ')
    }
  }
}

/** Collects updates and applies them once per frame: a fast model sends thousands in a second. */
class UpdateQueue {
  readonly #apply: (updates: readonly RunUpdate[]) => void
  #updates: RunUpdate[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(apply: (updates: readonly RunUpdate[]) => void) {
    this.#apply = apply
  }

  push(update: RunUpdate): void {
    this.#updates.push(update)
    this.#timer ??= setTimeout(() => this.flush(), 30)
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const updates = this.#updates
    this.#updates = []
    if (updates.length > 0) this.#apply(updates)
  }
}

/** The chat of this page. */
export const chat: ChatState = new ChatState()
