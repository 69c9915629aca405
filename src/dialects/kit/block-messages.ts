import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { isList, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { createTwoWayTable, type TwoWayTable } from '../../wire/two-way-table.ts'
import { keepsLaterSystem } from '../engine/content-fallback.ts'
import type { ConversationRemainder, ConversationWriter } from '../engine/conversation-encoder.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, attachResidue, getHints } from '../engine/residue-slots.ts'
import type { MessageWithPath } from '../engine/tool-pairing.ts'
import { createOpaqueMessage, getOpaqueMessage } from '../shared/opaque-content.ts'
import type { BlockFormat } from './block-format.ts'
import type { BlockPartCodec } from './block-parts.ts'

/** Decodes and encodes the messages of a format: one wire message for each canonical message. */
export class BlockMessageCodec {
  readonly #format: BlockFormat
  readonly #parts: BlockPartCodec
  readonly #roles: TwoWayTable<string, Role>

  constructor(format: BlockFormat, parts: BlockPartCodec) {
    this.#format = format
    this.#parts = parts
    this.#roles = createTwoWayTable(format.message.roles)
  }

  /** Decodes the conversation of a body; the text of the instructions becomes the first message. */
  decodeAll(body: JsonObject, options: DecodeOptions): readonly Message[] {
    const { messages, system: systemKey } = this.#format.request
    const system = systemKey === undefined ? undefined : body[systemKey]
    const leading: readonly Message[] =
      typeof system === 'string' && system !== ''
        ? [{ id: generateId('msg', options), role: 'system', content: [{ type: 'text', text: system }] }]
        : []
    return [...leading, ...itemsOf(body[messages]).map((wire) => this.#decode(wire, options))]
  }

  #decode(wire: Json, options: DecodeOptions): Message {
    const { role: roleKey, content: contentKey } = this.#format.message
    const { dialect } = this.#parts.slots
    const role = isObject(wire) ? this.#roles.fromWire(wire[roleKey]) : undefined
    const received = isObject(wire) ? wire[contentKey] : undefined
    const isText = typeof received === 'string'
    if (!isObject(wire) || role === undefined || !(isText || isList(received)))
      return createOpaqueMessage(this.#format.name, role ?? 'user', wire, options)
    const canBeResults = role === 'user' && this.#roles.toWire('tool') === undefined
    const content: readonly Part[] = isText
      ? received === ''
        ? []
        : [{ type: 'text', text: received }]
      : received.map((block) => this.#parts.decode(block, canBeResults ? ['user', 'tool'] : [role], dialect))
    const results = content.filter(({ type }) => type === 'tool-result')
    const isMixed = results.length > 0 && results.length < content.length
    // Text of a tool message and results between other content have no canonical place.
    if ((isText && role === 'tool') || isMixed)
      return createOpaqueMessage(this.#format.name, role, wire, options)
    const finalRole = canBeResults && results.length > 0 ? 'tool' : role
    const message = { id: generateId('msg', options), role: finalRole, content } as Message
    const hints = {
      ...(content.length === 0 && { emptyContent: true }),
      ...(isText && { contentAsText: true }),
    }
    return attachResidue(message, dialect, hints, wire, (each, path, context) =>
      this.#encodeSingle(each, path, context),
    )
  }

  /** Encodes a message; undefined if it has no content. */
  encode(message: Message, path: Path | undefined, context: EncodeContext): JsonObject | undefined {
    const opaque = getOpaqueMessage(message, this.#format.name)
    if (opaque !== undefined) return opaque
    const encoded = this.#encodeSingle(message, path, context)
    if (encoded === undefined) context.report('empty-message', path)
    return encoded
  }

  #encodeSingle(message: Message, path: Path | undefined, context: EncodeContext): JsonObject | undefined {
    const { role: roleKey, content: contentKey } = this.#format.message
    const { dialect } = this.#parts.slots
    const { role, name } = message
    const content: readonly Part[] = message.content
    if (name !== undefined) context.report('message-name', child(path, 'name'))
    const hints = getHints(message, dialect)
    const blocks = this.#parts.encodeList(content, child(path, 'content'), context, dialect, role)
    if (blocks.length === 0 && hints['emptyContent'] !== true) return undefined
    const [only, ...others] = content
    const isPlain =
      others.length === 0 && (only === undefined || (only.type === 'text' && only.extra === undefined))
    const text = only?.type === 'text' ? only.text : ''
    const wireRole = this.#roles.toWire(role) ?? this.#roles.toWire(role === 'developer' ? 'system' : 'user')
    if (role === 'developer' && this.#roles.toWire(role) === undefined)
      context.report('developer-role', child(path, 'role'))
    const made = {
      [roleKey]: wireRole ?? role,
      [contentKey]: hints['contentAsText'] === true && isPlain ? text : blocks,
    }
    return applyResidue(made, message, dialect)
  }

  /** Returns the text of instructions for the field of the body. */
  writeSystem({ message, path }: MessageWithPath, context: EncodeContext): string {
    if (message.name !== undefined) context.report('message-name', child(path, 'name'))
    if (message.role === 'developer') context.report('developer-role', child(path, 'role'))
    return this.#parts.writeText(message.content, child(path, 'content'), context)
  }

  /** True if the blocks of tool results do not contain the name of the tool. */
  get omitsResultName(): boolean {
    return this.#parts.getRow('tool-result')?.fields?.includes('name') !== true
  }

  /** True if instructions can be messages; otherwise they cannot follow other messages. */
  get hasSystemRole(): boolean {
    return this.#roles.toWire('system') !== undefined
  }

  /** Converts instructions that cannot be written in their place to text of the user; undefined if they are omitted. */
  convertSystem(placed: MessageWithPath, context: EncodeContext): Message | undefined {
    if (!keepsLaterSystem(placed.path, context)) return undefined
    const text = `<system>\n${this.writeSystem(placed, context)}\n</system>`
    return { id: placed.message.id, role: 'user', content: [{ type: 'text', text }] }
  }
}

/** Writes a conversation message by message. Leading instructions are a field of the body if the format has one. */
export class BlockConversationWriter implements ConversationWriter {
  readonly #codec: BlockMessageCodec
  readonly #systemKey: string | undefined
  #instructions: (readonly [text: string, path: Path | undefined])[] = []
  #hasMessages = false
  #closed: JsonObject[] = []

  constructor(codec: BlockMessageCodec, systemKey: string | undefined) {
    this.#codec = codec
    this.#systemKey = systemKey
  }

  add(placed: MessageWithPath, context: EncodeContext): void {
    const { message, path } = placed
    const isSystem = message.role === 'system' || message.role === 'developer'
    if (isSystem && this.#systemKey !== undefined && !this.#hasMessages) {
      this.#addInstructions(this.#codec.writeSystem(placed, context), path, context)
      return
    }
    this.#hasMessages = true
    const written =
      isSystem && !this.#codec.hasSystemRole ? this.#codec.convertSystem(placed, context) : message
    const wire = written && this.#codec.encode(written, path, context)
    if (wire !== undefined) this.#closed.push(wire)
  }

  #addInstructions(text: string, path: Path | undefined, context: EncodeContext): void {
    if (text === '') {
      context.report('empty-message', path)
      return
    }
    const [first] = this.#instructions
    if (first !== undefined && this.#instructions.length === 1) context.report('texts-joined', first[1])
    if (first !== undefined) context.report('texts-joined', path)
    this.#instructions.push([text, path])
  }

  omitsResultName(): boolean {
    return this.#codec.omitsResultName
  }

  takeFinished(): readonly JsonObject[] {
    const taken = this.#closed
    this.#closed = []
    return taken
  }

  end(): ConversationRemainder {
    const key = this.#systemKey
    const system = this.#instructions.map(([text]) => text).join('\n\n')
    const topLevelFields = key === undefined || system === '' ? undefined : { [key]: system }
    return { remaining: this.takeFinished(), ...(topLevelFields !== undefined && { topLevelFields }) }
  }

  fork(): BlockConversationWriter {
    const copy = new BlockConversationWriter(this.#codec, this.#systemKey)
    copy.#instructions = [...this.#instructions]
    copy.#hasMessages = this.#hasMessages
    return copy
  }
}
