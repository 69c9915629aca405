import type { Json, JsonObject } from '../../wire/json.ts'
import type { MessageInput } from './message-input.ts'
import { Messages } from './messages.ts'

/** One section of a store: reads it, and makes stores in which it is changed. */
export class SectionOperator<Store> {
  readonly name: string
  readonly #messages: Messages | undefined
  readonly #createStore: (messages: Messages | undefined) => Store

  constructor(
    name: string,
    messages: Messages | undefined,
    store: (messages: Messages | undefined) => Store,
  ) {
    this.name = name
    this.#messages = messages
    this.#createStore = store
  }

  /** Whether the store has the section. */
  get exists(): boolean {
    return this.#messages !== undefined
  }

  /** Its messages; none when it does not exist. */
  get messages(): Messages {
    return this.#messages ?? Messages.of()
  }

  /** Whether it says nothing. */
  get isEmpty(): boolean {
    return this.messages.isEmpty()
  }

  /** The store with more messages at the end of the section, which is made if it is missing. */
  append(...inputs: readonly (MessageInput | Iterable<MessageInput>)[]): Store {
    return this.#createStore(this.messages.append(...inputs))
  }

  /** The store with these messages as the section. */
  set(...inputs: readonly (MessageInput | Iterable<MessageInput>)[]): Store {
    return this.#createStore(Messages.of().append(...inputs))
  }

  /** The store with the section changed by a function. */
  update(change: (messages: Messages) => Messages): Store {
    return this.#createStore(change(this.messages))
  }

  /** The store with the section emptied. */
  clear(): Store {
    return this.#createStore(Messages.of())
  }

  /** The store without the section. */
  remove(): Store {
    return this.#createStore(undefined)
  }
}

/** The parameters of a store: reads them, and makes stores in which they are changed. */
export class ParameterOperator<Store> {
  /** All parameters. */
  readonly all: JsonObject
  readonly #createStore: (all: JsonObject) => Store

  constructor(all: JsonObject, store: (all: JsonObject) => Store) {
    this.all = all
    this.#createStore = store
  }

  /** A parameter, or `fallback` when it is not set. */
  get(key: string, fallback?: Json): Json | undefined {
    return Object.hasOwn(this.all, key) ? this.all[key] : fallback
  }

  /** Whether a parameter is set, be it to null. */
  has(key: string): boolean {
    return Object.hasOwn(this.all, key)
  }

  /** The store with a parameter set. */
  set(key: string, value: Json): Store {
    return this.#createStore({ ...this.all, [key]: value })
  }

  /** The store without a parameter. */
  unset(key: string): Store {
    return this.#createStore(Object.fromEntries(Object.entries(this.all).filter(([each]) => each !== key)))
  }

  /** The store with more parameters, over those of the same name. */
  merge(parameters: JsonObject): Store {
    return this.#createStore({ ...this.all, ...parameters })
  }

  /** The store with these parameters and no others. */
  replace(parameters: JsonObject): Store {
    return this.#createStore(parameters)
  }
}
