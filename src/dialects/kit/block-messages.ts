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
import { splitRuns } from './split-runs.ts'

/** Decodes and encodes the messages of a format. */
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
    return [...leading, ...itemsOf(body[messages]).flatMap((wire) => this.#decode(wire, options))]
  }

  #decode(wire: Json, options: DecodeOptions): readonly Message[] {
    const { role: roleKey, content: contentKey } = this.#format.message
    const role = isObject(wire) ? this.#roles.fromWire(wire[roleKey]) : undefined
    const received = isObject(wire) ? wire[contentKey] : undefined
    const isText = typeof received === 'string'
    // A tool message of text has no canonical form.
    const isKnown = role !== undefined && (isList(received) || (isText && role !== 'tool'))
    if (!isObject(wire) || !isKnown)
      return [createOpaqueMessage(this.#format.name, role ?? 'user', wire, options)]
    if (isText) {
      const parts: readonly Part[] = received === '' ? [] : [{ type: 'text', text: received }]
      return [this.#create(role, parts, wire, { contentAsText: true }, options)]
    }
    const { dialect } = this.#parts.slots
    const hasResults = role === 'user' && this.hasResultsOfUser
    const roles: readonly Role[] = hasResults ? ['user', 'tool'] : [role]
    const parts = received.map((block) => this.#parts.decode(block, roles, dialect))
    const runs = hasResults ? splitRuns(parts) : [{ role, start: 0, end: parts.length }]
    return runs.map(({ role: runRole, start, end }) => {
      const fields = start === 0 ? wire : { [roleKey]: wire[roleKey] ?? role }
      const run = { ...fields, [contentKey]: received.slice(start, end) }
      const hints = start > 0 ? ({ continuesMessage: true } as const) : {}
      return this.#create(runRole, parts.slice(start, end), run, hints, options)
    })
  }

  #create(
    role: Role,
    content: readonly Part[],
    wire: JsonObject,
    hints: { readonly contentAsText?: true; readonly continuesMessage?: true },
    options: DecodeOptions,
  ): Message {
    const message = { id: generateId('msg', options), role, content } as Message
    const allHints = { ...(content.length === 0 && { emptyContent: true }), ...hints }
    return attachResidue(message, this.#parts.slots.dialect, allHints, wire, (each, path, context) =>
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

  /** True if tool results are blocks in messages of the user. */
  get hasResultsOfUser(): boolean {
    return this.#roles.toWire('tool') === undefined
  }

  /** Returns the blocks by which a message continues the one before it; undefined if they are separate. */
  getContinuation(message: Message, next: JsonObject, previous: JsonObject): readonly Json[] | undefined {
    const { role, content: key } = this.#format.message
    const blocks = next[key]
    const isContinued = getHints(message, this.#parts.slots.dialect)['continuesMessage'] === true
    const fits = isList(blocks) && isList(previous[key]) && previous[role] === next[role]
    return isContinued && fits && Object.keys(next).length === 2 ? blocks : undefined
  }

  /** Returns a message with more blocks. */
  appendBlocks(wire: JsonObject, blocks: readonly Json[]): JsonObject {
    const { content: key } = this.#format.message
    return { ...wire, [key]: [...itemsOf(wire[key]), ...blocks] }
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
  /** The last message, if the next one may continue it, and the blocks that continue it. */
  #open: { readonly wire: JsonObject; readonly added: Json[] } | undefined

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
    if (wire === undefined) return
    const continuation = this.#open && this.#codec.getContinuation(message, wire, this.#open.wire)
    if (continuation !== undefined) {
      for (const block of continuation) this.#open?.added.push(block)
      return
    }
    this.#closeOpen()
    if (this.#codec.hasResultsOfUser) this.#open = { wire, added: [] }
    else this.#closed.push(wire)
  }

  #closeOpen(): void {
    if (this.#open === undefined) return
    const { wire, added } = this.#open
    this.#closed.push(added.length === 0 ? wire : this.#codec.appendBlocks(wire, added))
    this.#open = undefined
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
    this.#closeOpen()
    return { remaining: this.takeFinished(), ...(topLevelFields !== undefined && { topLevelFields }) }
  }

  fork(): BlockConversationWriter {
    const copy = new BlockConversationWriter(this.#codec, this.#systemKey)
    copy.#instructions = [...this.#instructions]
    copy.#hasMessages = this.#hasMessages
    copy.#open = this.#open && { ...this.#open, added: [...this.#open.added] }
    return copy
  }
}
