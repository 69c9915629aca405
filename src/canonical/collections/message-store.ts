import { InterlinguaError } from '../../errors.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { Message } from '../model/message.ts'
import type { MessageInput } from './message-input.ts'
import { Messages } from './messages.ts'
import { ParameterOperator, SectionOperator } from './store-operators.ts'
import type { ToTextOptions } from '../read/content-checks.ts'

/** A named part of a conversation. */
export interface Section {
  readonly name: string
  readonly messages: Messages
}

/** A store as plain JSON. */
export interface MessageStoreJson {
  readonly sections: readonly { readonly name: string; readonly messages: readonly Message[] }[]
  readonly parameters: JsonObject
}

/**
 * An immutable conversation in named sections, with parameters.
 *
 * @example
 * const store = MessageStore.of()
 *   .section('system').append(system('You help {{company}}.'))
 *   .section('chat').append('Hello')
 *   .parameters.set('company', 'Acme')
 * renderMessages(store.toMessages(), store.parameters.all)
 */
export class MessageStore {
  readonly #sections: ReadonlyMap<string, Messages>
  readonly #parameters: JsonObject

  private constructor(sections: ReadonlyMap<string, Messages>, parameters: JsonObject) {
    this.#sections = sections
    this.#parameters = parameters
  }

  /**
   * Creates a store of sections with unique names.
   *
   * @example
   * MessageStore.of({ name: 'examples', messages: Messages.of('2 + 2?', assistant('4')) })
   */
  static of(...sections: readonly Section[]): MessageStore {
    const map = new Map<string, Messages>()
    for (const { name, messages } of sections) {
      if (map.has(name)) {
        const hint = 'Rename one of the sections, or merge two stores.'
        throw new InterlinguaError('duplicate-section', 'Two sections have the same name', { hint })
      }
      map.set(name, messages)
    }
    return new MessageStore(map, Object.freeze({}))
  }

  /**
   * Creates a store with one section.
   *
   * @example
   * MessageStore.fromMessages(['Hello'], 'chat')
   */
  static fromMessages(input: MessageInput | Iterable<MessageInput>, section = 'messages'): MessageStore {
    return MessageStore.of({ name: section, messages: Messages.from(input) })
  }

  /** The sections, in order. */
  get sections(): readonly Section[] {
    return Array.from(this.#sections, ([name, messages]) => ({ name, messages }))
  }

  /** The names of the sections, in order. */
  get sectionNames(): readonly string[] {
    return [...this.#sections.keys()]
  }

  /** Returns an operator that reads a section, which need not exist, or creates a store with a changed one. */
  section(name: string): SectionOperator<MessageStore> {
    return new SectionOperator(name, this.#sections.get(name), (next) => this.#withSection(name, next))
  }

  /** The operator for the parameters: it reads them, or creates a store with changed parameters. */
  get parameters(): ParameterOperator<MessageStore> {
    return new ParameterOperator(this.#parameters, (all) => new MessageStore(this.#sections, freezeCopy(all)))
  }

  #withSection(name: string, messages: Messages | undefined): MessageStore {
    const sections = new Map(this.#sections)
    if (messages === undefined) sections.delete(name)
    else sections.set(name, messages)
    return new MessageStore(sections, this.#parameters)
  }

  /** Returns a store that has the section; it is empty if it did not exist. */
  withSection(name: string): MessageStore {
    return this.#sections.has(name) ? this : this.#withSection(name, Messages.of())
  }

  /** Returns a store of the named sections in this order; without names, all. Unknown names are ignored. */
  select(...names: readonly string[]): MessageStore {
    if (names.length === 0) return this
    const found = names.flatMap((name): [string, Messages][] => {
      const messages = this.#sections.get(name)
      return messages === undefined ? [] : [[name, messages]]
    })
    return new MessageStore(new Map(found), this.#parameters)
  }

  /** Returns a store of the sections that pass the test. */
  filter(test: (section: Section) => boolean): MessageStore {
    return this.#sections.size === 0 ? this : this.#withSections(this.sections.filter(test))
  }

  #withSections(sections: readonly Section[]): MessageStore {
    return new MessageStore(new Map(sections.map(({ name, messages }) => [name, messages])), this.#parameters)
  }

  /** Appends the sections of another store to those of the same name; its parameters replace ours. */
  merge(other: MessageStore): MessageStore {
    const sections = new Map(this.#sections)
    for (const { name, messages } of other.sections) {
      sections.set(name, (sections.get(name) ?? Messages.of()).append(messages))
    }
    return new MessageStore(sections, freezeCopy({ ...this.#parameters, ...other.#parameters }))
  }

  /** Returns a store without empty messages and without empty sections. */
  withoutEmpty(): MessageStore {
    const trimmed = this.sections.map(({ name, messages }) => ({ name, messages: messages.withoutEmpty() }))
    return this.#withSections(trimmed.filter(({ messages }) => messages.size > 0))
  }

  /** Returns all sections as one conversation, without empty messages. */
  toMessages(): Messages {
    return Messages.from(this.sections.flatMap(({ messages }) => messages.withoutEmpty().toArray()))
  }

  /** Returns the messages of all sections as an array, without empty messages. */
  toArray(): Message[] {
    return this.toMessages().toArray()
  }

  /** Returns the sections and parameters as plain JSON. */
  toJSON(): MessageStoreJson {
    return {
      sections: this.sections.map(({ name, messages }) => ({ name, messages: messages.toArray() })),
      parameters: this.#parameters,
    }
  }

  /** Returns the conversation as text; see {@link Messages.toText}. */
  toText(options?: ToTextOptions): string {
    return this.toMessages().toText(options)
  }
}

/** Creates a store of sections; sections with the same name are joined. */
export function createMessageStore(sections: readonly Section[], parameters: JsonObject): MessageStore {
  const joined = new Map<string, Messages>()
  for (const { name, messages } of sections) {
    joined.set(name, joined.get(name)?.append(messages) ?? messages)
  }
  const store = MessageStore.of(...Array.from(joined, ([name, messages]) => ({ name, messages })))
  return store.parameters.replace(parameters)
}
