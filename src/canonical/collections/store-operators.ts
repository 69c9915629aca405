import type { Json, JsonObject } from '../../wire/json.ts'
import type { MessageInput } from './message-input.ts'
import { Messages } from './messages.ts'

/**
 * Reads one section of a store, and creates stores in which it is changed.
 *
 * @example
 * const store = MessageStore.of().section('chat').append('Hello')
 * store.section('chat').messages.size // 1
 */
export class SectionOperator<Store> {
  readonly name: string
  readonly #messages: Messages | undefined
  readonly #createStore: (messages?: Messages) => Store

  constructor(name: string, messages: Messages | undefined, createStore: (messages?: Messages) => Store) {
    this.name = name
    this.#messages = messages
    this.#createStore = createStore
  }

  /** True if the store has the section. */
  get exists(): boolean {
    return this.#messages !== undefined
  }

  /** The messages of the section; empty if it does not exist. */
  get messages(): Messages {
    return this.#messages ?? Messages.of()
  }

  /** True if all messages of the section are empty. */
  get isEmpty(): boolean {
    return this.messages.isEmpty()
  }

  /** Appends messages to the section, which is created if it is missing. */
  append(...inputs: readonly (MessageInput | Iterable<MessageInput>)[]): Store {
    return this.#createStore(this.messages.append(...inputs))
  }

  /** Replaces the messages of the section. */
  set(...inputs: readonly (MessageInput | Iterable<MessageInput>)[]): Store {
    return this.#createStore(Messages.of().append(...inputs))
  }

  /** Changes the section by a function. */
  update(change: (messages: Messages) => Messages): Store {
    return this.#createStore(change(this.messages))
  }

  /** Removes all messages of the section; the section stays. */
  clear(): Store {
    return this.#createStore(Messages.of())
  }

  /** Removes the section. */
  remove(): Store {
    return this.#createStore()
  }
}

/**
 * Reads the parameters of a store, and creates stores in which they are changed.
 *
 * @example
 * const store = MessageStore.of().parameters.set('company', 'Acme')
 * store.parameters.get('company') // 'Acme'
 */
export class ParameterOperator<Store> {
  /** All parameters. */
  readonly all: JsonObject
  readonly #createStore: (all: JsonObject) => Store

  constructor(all: JsonObject, createStore: (all: JsonObject) => Store) {
    this.all = all
    this.#createStore = createStore
  }

  /** Returns a parameter, or `fallback` if it is not set. */
  get(key: string, fallback?: Json): Json | undefined {
    return Object.hasOwn(this.all, key) ? this.all[key] : fallback
  }

  /** Returns true if a parameter is set, even to null. */
  has(key: string): boolean {
    return Object.hasOwn(this.all, key)
  }

  /** Sets a parameter. */
  set(key: string, value: Json): Store {
    return this.#createStore({ ...this.all, [key]: value })
  }

  /** Removes a parameter. */
  unset(key: string): Store {
    return this.#createStore(Object.fromEntries(Object.entries(this.all).filter(([each]) => each !== key)))
  }

  /** Sets several parameters; the others stay. */
  merge(parameters: JsonObject): Store {
    return this.#createStore({ ...this.all, ...parameters })
  }

  /** Replaces all parameters. */
  replace(parameters: JsonObject): Store {
    return this.#createStore(parameters)
  }
}
