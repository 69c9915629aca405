import { InterlinguaError } from '../../errors.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { Message } from '../model/message.ts'
import type { MessageInput } from './message-input.ts'
import { Messages } from './messages.ts'
import { ParameterOperator, SectionOperator } from './store-operators.ts'
import type { ToTextOptions } from '../read/content-checks.ts'

/** A named stretch of a conversation. */
export interface Section {
  readonly name: string
  readonly messages: Messages
}

/** A store as plain JSON. */
export interface MessageStoreJson {
  readonly sections: readonly { readonly name: string; readonly messages: readonly Message[] }[]
  readonly parameters: JsonObject
}

/** Where messages go that are given without a section. */
const DEFAULT_SECTION = 'messages'

/**
 * An immutable conversation in named sections, with parameters beside them.
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
   * A store of sections, each with a name of its own.
   *
   * @example
   * MessageStore.of({ name: 'examples', messages: Messages.of('2 + 2?', assistant('4')) })
   */
  static of(...sections: readonly Section[]): MessageStore {
    const map = new Map<string, Messages>()
    for (const { name, messages } of sections) {
      if (map.has(name)) {
        const hint = 'Give each section a name of its own, or merge two stores.'
        throw new InterlinguaError('duplicate-section', 'Two sections have the same name', { hint })
      }
      map.set(name, messages)
    }
    return new MessageStore(map, Object.freeze({}))
  }

  /**
   * A store of one section.
   *
   * @example
   * MessageStore.fromMessages(['Hello'], 'chat')
   */
  static fromMessages(
    input: MessageInput | Iterable<MessageInput>,
    section: string = DEFAULT_SECTION,
  ): MessageStore {
    return MessageStore.of({ name: section, messages: Messages.from(input) })
  }

  /** The sections in order. */
  get sections(): readonly Section[] {
    return Array.from(this.#sections, ([name, messages]) => ({ name, messages }))
  }

  /** The names of the sections in order. */
  get sectionNames(): readonly string[] {
    return [...this.#sections.keys()]
  }

  /** One section, there or not: to read it, or to make a store in which it is changed. */
  section(name: string): SectionOperator<MessageStore> {
    return new SectionOperator(name, this.#sections.get(name), (messages) =>
      this.#withSection(name, messages),
    )
  }

  /** The parameters: to read them, or to make a store in which they are changed. */
  get parameters(): ParameterOperator<MessageStore> {
    return new ParameterOperator(this.#parameters, (all) => new MessageStore(this.#sections, freezeCopy(all)))
  }

  #withSection(name: string, messages: Messages | undefined): MessageStore {
    const sections = new Map(this.#sections)
    if (messages === undefined) sections.delete(name)
    else sections.set(name, messages)
    return new MessageStore(sections, this.#parameters)
  }

  /** With an empty section of that name if there is none. */
  withSection(name: string): MessageStore {
    return this.#sections.has(name) ? this : this.#withSection(name, Messages.of())
  }

  /** Only the named sections, in the order asked for; names that do not exist are passed over, none means all. */
  select(...names: readonly string[]): MessageStore {
    if (names.length === 0) return this
    const found = names.flatMap((name): [string, Messages][] => {
      const messages = this.#sections.get(name)
      return messages === undefined ? [] : [[name, messages]]
    })
    return new MessageStore(new Map(found), this.#parameters)
  }

  /** Only the sections for which a test holds. */
  filter(test: (section: Section) => boolean): MessageStore {
    return this.#sections.size === 0 ? this : this.#withSections(this.sections.filter(test))
  }

  #withSections(sections: readonly Section[]): MessageStore {
    return new MessageStore(new Map(sections.map(({ name, messages }) => [name, messages])), this.#parameters)
  }

  /** With another store's sections appended to those of the same name, and its parameters over ours. */
  merge(other: MessageStore): MessageStore {
    const sections = new Map(this.#sections)
    for (const { name, messages } of other.sections) {
      sections.set(name, (sections.get(name) ?? Messages.of()).append(messages))
    }
    return new MessageStore(sections, freezeCopy({ ...this.#parameters, ...other.#parameters }))
  }

  /** Without messages that say nothing, and without sections that are left with none. */
  withoutEmpty(): MessageStore {
    const trimmed = this.sections.map(({ name, messages }) => ({ name, messages: messages.withoutEmpty() }))
    return this.#withSections(trimmed.filter(({ messages }) => messages.size > 0))
  }

  /** All sections in order as one conversation, without messages that say nothing. */
  toMessages(): Messages {
    return Messages.from(this.sections.flatMap(({ messages }) => messages.withoutEmpty().toArray()))
  }

  /** The messages of all sections in one array. */
  toArray(): Message[] {
    return this.toMessages().toArray()
  }

  /** Sections and parameters as plain JSON. */
  toJSON(): MessageStoreJson {
    return {
      sections: this.sections.map(({ name, messages }) => ({ name, messages: messages.toArray() })),
      parameters: this.#parameters,
    }
  }

  /** The conversation as text; see {@link Messages.toText}. */
  toText(options?: ToTextOptions): string {
    return this.toMessages().toText(options)
  }
}

/** A store from sections that may repeat a name: those are joined. */
export function createMessageStore(sections: readonly Section[], parameters: JsonObject): MessageStore {
  const joined = new Map<string, Messages>()
  for (const { name, messages } of sections) {
    joined.set(name, (joined.get(name) ?? Messages.of()).append(messages))
  }
  const store = MessageStore.of(...Array.from(joined, ([name, messages]) => ({ name, messages })))
  return store.parameters.replace(parameters)
}
