import type { Role } from '../../canonical/model/message.ts'
import type { Part, PartType, ToolResultContent } from '../../canonical/model/part.ts'
import type { DialectLossRule } from '../../canonical/losses/loss-catalog.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { isEqualJson, isObject, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { createFallback, isShownAsReasoning } from '../engine/content-fallback.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { EngineHint } from '../engine/residue-hints.ts'
import { applyResidue, attachResidue, getHints, type Slot, defineSlot } from '../engine/residue-slots.ts'
import { createOpaquePart, encodeOpaque } from '../shared/opaque-content.ts'
import { encodeObjectArguments } from '../shared/tool-arguments.ts'
import type { BlockFormat, BlockRow, BlockWriting, OptionalPartField, WireFields } from './block-format.ts'

/** The hints of formats with blocks. They are stored in users' databases. */
type BlockHint =
  | EngineHint
  /** The message had no content. */
  | 'emptyContent'
  /** The content was a text instead of a list of blocks. */
  | 'contentAsText'
  /** The reasoning was a block of this dialect. */
  | 'ownReasoning'
  /** The content belongs to the wire message of the message before it. */
  | 'continuesMessage'
  /** The response had no finish reason. */
  | 'missingFinishReason'

type BlockSlot = Slot<BlockHint>

/** The slots of a format: `dialect` for requests and hints, `response` for what only a response may contain. */
interface BlockSlots {
  readonly dialect: BlockSlot
  readonly response: BlockSlot
}

/** The types of parts that a message of a role can contain; others stay opaque. */
const allowedTypes: { readonly [role in Role]: readonly PartType[] } = {
  system: ['text'],
  developer: ['text'],
  user: ['text', 'image', 'audio', 'video', 'file'],
  assistant: ['text', 'image', 'audio', 'video', 'file', 'reasoning', 'tool-call', 'refusal'],
  tool: ['tool-result'],
}

/** The loss rule of each optional field of a part. */
const fieldRules: { readonly [field in OptionalPartField | 'signature']: DialectLossRule } = {
  cache: 'cache-hint',
  citations: 'citations-dropped',
  detail: 'media-detail',
  isError: 'no-field',
  name: 'media-detail',
  signature: 'foreign-signature',
  summary: 'no-field',
  transcript: 'media-detail',
}

/** Decodes and encodes the blocks of a format. Each part carries the residue of its own block. */
export class BlockPartCodec {
  readonly slots: BlockSlots
  readonly #format: BlockFormat

  constructor(format: BlockFormat) {
    this.#format = format
    this.slots = { dialect: defineSlot(format.name), response: defineSlot(`${format.name}/response`) }
  }

  /** Returns the row of a part's type. */
  getRow(type: PartType): BlockRow | undefined {
    const rows: { readonly [type: string]: unknown } = this.#format.blocks.parts
    // The table pairs each type with the row of its part.
    return Object.hasOwn(rows, type) ? (rows[type] as BlockRow) : undefined
  }

  /** Decodes a block as a part of a message of these roles; a block that is not understood becomes opaque. */
  decode(block: Json, roles: readonly Role[], slot: BlockSlot): Part {
    const part = isObject(block) ? this.#read(block) : undefined
    const isAllowed = part !== undefined && roles.some((role) => allowedTypes[role].includes(part.type))
    if (!isAllowed || !isObject(block)) return createOpaquePart(this.#format.name, block)
    const hints = part.type === 'reasoning' ? { ownReasoning: true } : {}
    const role = part.type === 'tool-result' ? 'tool' : 'assistant'
    const encode = (each: Part): JsonObject | undefined => this.encode(each, undefined, noReport, slot, role)
    return attachResidue(part, slot, hints, block, encode, { hintSlot: this.slots.dialect })
  }

  #read(block: JsonObject): Part | undefined {
    const { type: key, parts } = this.#format.blocks
    for (const row of Object.values(parts) as readonly BlockRow[]) {
      const part = row.type === block[key] ? row.decode(block) : undefined
      if (part !== undefined) return part
    }
    return undefined
  }

  /** Encodes a part as a block; a part without one becomes text or is omitted, and is reported. */
  encode(
    part: Part,
    path: Path | undefined,
    context: EncodeContext,
    slot: BlockSlot,
    role: Role = 'assistant',
  ): JsonObject | undefined {
    if (part.type === 'opaque') return encodeOpaque(part, this.#format.name, path, context)
    const row = this.isNative(part, context, role) ? this.getRow(part.type) : undefined
    const block = row && this.#encodeNative(part, row, path, context, slot)
    if (block !== undefined) return block
    const fallback = createFallback(part, path, context)
    return fallback === undefined || fallback === part
      ? undefined
      : this.encode(fallback, path, context, slot)
  }

  #encodeNative(
    part: Part,
    row: BlockRow,
    path: Path | undefined,
    context: EncodeContext,
    slot: BlockSlot,
  ): JsonObject | undefined {
    const losses: Parameters<EncodeContext['report']>[] = []
    const collecting = { ...context, report: (...loss: (typeof losses)[number]) => void losses.push(loss) }
    const fields = row.encode(part, this.#createWriting(path, collecting, slot))
    if (fields !== undefined) reportMissingFields(part, row, path, collecting)
    const block =
      fields && applyResidue({ [this.#format.blocks.type]: row.type, ...toWireObject(fields) }, part, slot)
    // Nothing is lost if the residue restores what the row could not write.
    const isRestored = losses.length > 0 && block !== undefined && isWrittenAs(part, row.decode(block))
    if (!isRestored) for (const loss of losses) context.report(...loss)
    return block
  }

  /** Encodes the parts that have a block. */
  encodeList(
    parts: readonly Part[],
    path: Path | undefined,
    context: EncodeContext,
    slot: BlockSlot,
    role?: Role,
  ): readonly JsonObject[] {
    const blocks = parts.map((part, index) => this.encode(part, child(path, index), context, slot, role))
    return blocks.filter((block) => block !== undefined)
  }

  /** Returns true for a part in a form of this dialect: calls and results of the application, and reasoning that it accepts. */
  isNative(part: Part, context: EncodeContext, role: Role = 'assistant'): boolean {
    // A result in an assistant message belongs to a tool that another provider ran.
    if (part.type === 'tool-result') return role === 'tool'
    if (part.type === 'tool-call') return isApplicationCall(part)
    if (part.type !== 'reasoning') return true
    if (isShownAsReasoning(part, context)) return true
    return !part.redacted && getHints(part, this.slots.dialect)['ownReasoning'] === true
  }

  /** Returns the text of parts, one paragraph each; media are described. */
  writeText(parts: readonly Part[], path: Path | undefined, context: EncodeContext): string {
    const texts = parts.flatMap((part, index) => {
      const partPath = child(path, index)
      const fallback = createFallback(part, partPath, context)
      if (fallback !== undefined) reportMissingFields(fallback, undefined, partPath, context)
      return fallback?.text ?? []
    })
    if (texts.length > 1) context.report('texts-joined', path)
    return texts.join('\n')
  }

  #createWriting(path: Path | undefined, context: EncodeContext, slot: BlockSlot): BlockWriting {
    const contentPath = child(path, 'content')
    return {
      path,
      context,
      writeArguments: (call) => encodeObjectArguments(call, path, context),
      writeText: (content: readonly ToolResultContent[]) => this.writeText(content, contentPath, context),
      writeBlocks: (content) => this.encodeList(content, contentPath, context, slot),
    }
  }
}

/** Returns the fields that are sent. */
export function toWireObject(fields: WireFields): JsonObject {
  return omitUndefined(fields) as JsonObject
}

/** Returns true if a decoded part has the same fields as a part, of those that are sent. */
function isWrittenAs(
  { extra: _extra, metadata: _metadata, ...part }: Part,
  decoded: Part | undefined,
): boolean {
  return decoded !== undefined && isEqualJson(decoded, part)
}

/** Reports the optional fields of a part that its row does not write. */
function reportMissingFields(
  part: Part,
  row: BlockRow | undefined,
  path: Path | undefined,
  context: EncodeContext,
): void {
  const written: readonly string[] = row?.fields ?? []
  for (const [field, rule] of Object.entries(fieldRules)) {
    const value: unknown = Reflect.get(part, field)
    const isEmpty = value === undefined || value === 'auto' || (Array.isArray(value) && value.length === 0)
    // The name of a tool or of a result is no detail of a file.
    const isOtherName = field === 'name' && !('source' in part)
    if (!isEmpty && !isOtherName && !written.includes(field)) context.report(rule, child(path, field))
  }
}
