import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message } from '../../canonical/model/message.ts'
import { addUsage, type Usage } from '../../canonical/model/usage.ts'
import { isTimestamp } from '../../canonical/shape/shape.ts'
import { InterlinguaError } from '../../errors.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject, omitUndefined, setKey } from '../../wire/json.ts'
import { TranscriptTree, type TreeContext } from './transcript-tree.ts'
import {
  MAIN_SECTION,
  type ReadTranscriptOptions,
  type TranscriptIssue,
  type TranscriptRecord,
  type TranscriptSection,
  type TranscriptSession,
} from './transcript.ts'
import type { HasExtra } from '../../canonical/model/extra.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { Dialect } from '../../dialects/engine/dialect.ts'
import type { EngineHint } from '../../dialects/engine/residue-hints.ts'
import { getHints, type Slot, defineSlot, withSlot } from '../../dialects/engine/residue-slots.ts'

/** The longest id that every storage accepts. */
const MAX_ID_LENGTH = 256

/** Matches a lone surrogate or NUL, which some storages cannot store. */
const UNSTORABLE = /\p{Cs}|\0/u

const isStorableId = (id: string): boolean => id !== '' && id.length <= MAX_ID_LENGTH && !UNSTORABLE.test(id)

/** The fields of a session that a reader sets. */
type SessionFields = Pick<
  TranscriptSession,
  'title' | 'workingDirectory' | 'parentSession' | 'createdAt' | 'updatedAt'
>

/** A session that is being read. */
export class SessionBuilder {
  readonly id: string
  readonly fields: { -readonly [K in keyof SessionFields]: SessionFields[K] | undefined } = {}
  readonly metadata: { [key: string]: Json } = {}
  readonly #records: TranscriptRecord[] = []
  readonly #trees = new Map<string, TranscriptTree>()
  readonly #issues: TranscriptIssue[]
  readonly #context: TreeContext

  constructor(id: string, issues: TranscriptIssue[], options: ReadTranscriptOptions) {
    this.id = isStorableId(id) ? id : generateId('session', options)
    this.#issues = issues
    const usedIds = new Set<string>()
    this.#context = {
      claimId: (given) => {
        const claimed = isStorableId(given) && !usedIds.has(given) ? given : generateId('msg', options)
        usedIds.add(claimed)
        return claimed
      },
      addIssue: (at, code, message) => this.addIssue(at, code, message),
    }
    this.tree(MAIN_SECTION)
  }

  /** Returns the messages of an agent. */
  tree(section: string = MAIN_SECTION): TranscriptTree {
    const found = this.#trees.get(section) ?? new TranscriptTree(this.#context)
    this.#trees.set(section, found)
    return found
  }

  /** Keeps a record that is no message. */
  keep(record: TranscriptRecord): void {
    this.#records.push(record)
  }

  addIssue({ file, line }: TranscriptRecord, code: TranscriptIssue['code'], message: string): void {
    this.#issues.push({ ...omitUndefined({ file }), line, code, message })
  }

  /**
   * Reads the messages of a record. A record without messages is kept, with those joined to it; one that is no valid message
   * becomes an issue, too.
   */
  tryRead(
    at: TranscriptRecord,
    read: () => readonly Message[],
    joined: readonly TranscriptRecord[] = [],
  ): readonly Message[] {
    let messages: readonly Message[] = []
    try {
      messages = read()
    } catch (error) {
      if (!(error instanceof InterlinguaError)) throw error
      this.addIssue(at, error.code, error.message)
    }
    if (messages.length === 0) for (const each of [at, ...joined]) this.keep(each)
    return messages
  }

  /** Adds what a program notes about the session; later values replace earlier ones. */
  addMetadata(fields: JsonObject): void {
    for (const [key, value] of Object.entries(fields)) setKey(this.metadata, key, value)
  }

  finish(): TranscriptSession {
    const sections = [...this.#trees]
      .map(([name, tree]): TranscriptSection => tree.finish(name))
      .filter(({ name, messages }) => name === MAIN_SECTION || messages.length > 0)
    const usages = sections.flatMap(({ messages }) =>
      messages.flatMap((message): readonly Usage[] =>
        message.role === 'assistant' && message.usage !== undefined ? [message.usage] : [],
      ),
    )
    const times = sections.flatMap(({ messages }) => messages.flatMap(({ createdAt }) => createdAt ?? []))
    const {
      title,
      workingDirectory,
      parentSession,
      createdAt = times[0],
      updatedAt = times.at(-1),
    } = this.fields
    return Object.freeze({
      id: this.id,
      ...omitUndefined({ title, workingDirectory, parentSession, createdAt, updatedAt }),
      metadata: freezeCopy(this.metadata),
      ...(usages.length > 0 && { usage: usages.reduce((sum, usage) => addUsage(sum, usage)) }),
      sections: Object.freeze(sections),
      records: Object.freeze(this.#records),
    })
  }
}

const MAX_TIME = 253_402_300_799_999

/** Reads a time in ISO 8601 or in milliseconds; undefined for any other value. */
export function readTime(value: Json | undefined): string | undefined {
  if (isTimestamp(value)) return value
  const isTime = typeof value === 'number' && value > 0 && value <= MAX_TIME
  return isTime ? new Date(value).toISOString() : undefined
}

/** Returns a text; undefined for an empty text and for any other value. */
export function readText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns an object without some of its keys. */
export function omitKeys(object: JsonObject, keys: Iterable<string>): JsonObject {
  const omitted = new Set(keys)
  const rest = {}
  for (const [key, value] of Object.entries(object)) if (!omitted.has(key)) setKey(rest, key, value)
  return rest
}

/** Returns messages with fields added; what the program notes about a message is metadata under the name of the program. */
export function withFields(
  messages: readonly Message[],
  id: string,
  createdAt: string | undefined,
  format: string,
  note: JsonObject,
): readonly Message[] {
  return messages.map((message, index) => {
    const metadata = index === 0 && Object.keys(note).length > 0 ? { metadata: { [format]: note } } : {}
    return { ...omitUndefined({ createdAt }), ...message, id, ...metadata }
  })
}

/**
 * Decodes wire messages of a transcript. A record contains only a part of the conversation, so calls and their results are in
 * different bodies: the mark that they are to be sent without each other is removed.
 */
export function decodeMessages(dialect: Dialect, body: JsonObject): readonly Message[] {
  const slot: Slot<EngineHint> = defineSlot(dialect.name)
  return [...dialect.decodeRequest(body).value.messages].map((message) => {
    const content = (message.content as readonly Part[]).map((part) => withoutPairingHint(part, slot))
    return withoutPairingHint({ ...message, content } as Message, slot)
  })
}

function withoutPairingHint<T extends HasExtra>(unit: T, slot: Slot<EngineHint>): T {
  const hints = getHints(unit, slot)
  if (hints.preserveInvalid === undefined) return unit
  const { $: meta, ...residue } = unit.extra?.[slot] ?? {}
  const rest = omitKeys(hints, ['preserveInvalid'])
  const plain = omitKeys(isObject(meta) ? meta : {}, ['hints'])
  const kept = Object.keys(rest).length > 0 ? { ...plain, hints: rest } : plain
  return withSlot(unit, slot, Object.keys(kept).length > 0 ? { ...residue, $: kept } : residue)
}
