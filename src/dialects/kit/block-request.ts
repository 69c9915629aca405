import type { ChatRequest } from '../../canonical/model/request.ts'
import { isForcedToolChoice, type Tool, type ToolChoice } from '../../canonical/model/tool.ts'
import { isList, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { RequestWriter } from '../engine/encode-request.ts'
import { createAcceptedByModelHint } from '../engine/fit-request-to-model.ts'
import { createUnknownFactUse, type ModelFactUse } from '../engine/model-facts.ts'
import { preserveInvalidToolPairing } from '../engine/preserve-invalid-pairing.ts'
import { applyResidue, attachResidue, withResidue } from '../engine/residue-slots.ts'
import {
  convertedSetting,
  decodeDirectSettings,
  encodeDirectSettings,
  type SettingTables,
} from '../engine/setting-tables.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import { createToolDecoder, encodeToolList, preserveRepeatedTools } from '../shared/tool-list.ts'
import type { BlockFormat } from './block-format.ts'
import { BlockConversationWriter, BlockMessageCodec } from './block-messages.ts'
import { type BlockPartCodec, toWireObject } from './block-parts.ts'
import { defineSettings } from './define-settings.ts'

/** Decodes and encodes the requests of a format. */
export class BlockRequestCodec {
  readonly writer: RequestWriter
  readonly #format: BlockFormat
  readonly #parts: BlockPartCodec
  readonly #messages: BlockMessageCodec
  readonly #settings: SettingTables
  readonly #factUse: ModelFactUse
  /** True if the format has no field for a tool choice: then only the tools that the choice allows are sent. */
  readonly #filtersTools: boolean
  readonly #decodeTool: (wire: Json) => Tool

  constructor(format: BlockFormat, parts: BlockPartCodec) {
    const { name, request, modelFacts } = format
    this.#format = format
    this.#parts = parts
    this.#messages = new BlockMessageCodec(format, parts)
    this.#decodeTool = createToolDecoder(name, (wire) => {
      const tool = format.tool?.decode(wire)
      const encode = (each: Tool): JsonObject | undefined => this.#encodeTool(each, undefined, noReport)
      return tool && attachResidue(tool, parts.slots.dialect, {}, wire, encode)
    })
    this.#filtersTools = request.tools !== undefined && request.settings?.toolChoice === undefined
    this.#settings = defineSettings({
      ...(request.tools !== undefined && { tools: convertedSetting([request.tools]) }),
      ...(this.#filtersTools && { toolChoice: convertedSetting([]) }),
      ...request.settings,
    })
    this.#factUse = modelFacts === undefined ? createUnknownFactUse(name) : { ...modelFacts, dialect: name }
    this.writer = {
      listKey: request.messages,
      modelFactUseFor: () => this.#factUse,
      reasoning: {},
      settingsFor: () => this.#settings,
      createConversationWriter: () => new BlockConversationWriter(this.#messages, request.system),
      writeFields: (each, conversation, _hints, context) => this.#writeFields(each, conversation, context),
    }
  }

  decode(body: ReceivedBody, options: DecodeOptions): ChatRequest {
    const { name, request: keys } = this.#format
    const { dialect } = this.#parts.slots
    const model = keys.model === undefined ? undefined : body[keys.model]
    const tools = keys.tools === undefined ? undefined : body[keys.tools]
    const request: ChatRequest = {
      ...(typeof model === 'string' && { model }),
      messages: preserveInvalidToolPairing(this.#messages.decodeAll(body, options), name),
      ...(isList(tools) &&
        tools.length > 0 && {
          tools: preserveRepeatedTools(
            tools.map((tool) => this.#decodeTool(tool)),
            dialect,
          ),
        }),
      ...decodeDirectSettings(body, this.#settings.request),
      ...keys.decodeSettings?.(body),
    }
    if (options.exact === false) return request
    const hints = createAcceptedByModelHint(request, this.#factUse, body)
    // The messages were compared one by one when they were decoded.
    const messages = body[keys.messages]
    const conversation = {
      ...this.#copySystem(body),
      [keys.messages]: isList(messages) ? messages : [],
    }
    return withResidue(request, dialect, this.#writeFields(request, conversation, noReport), body, hints)
  }

  #copySystem(body: JsonObject): JsonObject {
    const key = this.#format.request.system
    const system = key === undefined ? undefined : body[key]
    return key !== undefined && typeof system === 'string' && system !== '' ? { [key]: system } : {}
  }

  #writeFields(request: ChatRequest, conversation: JsonObject, context: EncodeContext): JsonObject {
    const keys = this.#format.request
    const model = context.options.model ?? request.model
    return {
      ...(keys.model !== undefined && model !== undefined && { [keys.model]: model }),
      ...conversation,
      ...this.#writeTools(request, context),
      ...encodeDirectSettings(request, this.#settings.request),
      ...toWireObject(keys.encodeSettings?.(request, context) ?? {}),
    }
  }

  #writeTools({ tools = [], toolChoice }: ChatRequest, context: EncodeContext): JsonObject {
    const { tools: key } = this.#format.request
    if (key === undefined) return {}
    const choice = this.#filtersTools ? toolChoice : undefined
    if (isForcedToolChoice(choice)) context.report('no-field', child(undefined, 'toolChoice'))
    const wire = this.encodeTools(tools, child(undefined, 'tools'), context, choice)
    return wire.length === 0 ? {} : { [key]: wire }
  }

  encodeTools(
    tools: readonly Tool[],
    path: Path | undefined,
    context: EncodeContext,
    choice?: ToolChoice,
  ): readonly JsonObject[] {
    return encodeToolList(tools, path, context, {
      slot: this.#parts.slots.dialect,
      choice,
      encodeTool: (tool, toolPath) => this.#encodeTool(tool, toolPath, context),
    })
  }

  #encodeTool(tool: Tool, path: Path | undefined, context: EncodeContext): JsonObject | undefined {
    if (tool.type === 'opaque') return encodeOpaque(tool, this.#format.name, path, context)
    const { tool: declaration } = this.#format
    if (tool.type === 'provider' || declaration === undefined) {
      context.report('foreign-tool', path)
      return undefined
    }
    if (tool.strict === true) context.report('no-field', child(path, 'strict'))
    if (tool.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
    return applyResidue(toWireObject(declaration.encode(tool)), tool, this.#parts.slots.dialect)
  }
}
