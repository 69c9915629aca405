// The package entry `interlingua/dialects/kit`: what the author of a dialect needs. The pieces from which the built-in
// dialects are made are in `interlingua/dialects/kit/engine`.
export { defineDialect, type DialectDefinition, isDialect } from '../engine/define-dialect.ts'
export type { DecodeOptions, Dialect, EncodeOptions, Endpoint } from '../engine/dialect.ts'
export type { EncodeContext } from '../engine/encode-context.ts'
export { createDefaultErrorCodec } from '../engine/default-errors.ts'
export type { ErrorCodec, ErrorFormat } from '../engine/error-codec.ts'
export type { InputRecognizer, RecognizedInput } from '../engine/input-recognizers.ts'
export type { ModelFactUse } from '../engine/model-facts.ts'
export {
  convertedSetting,
  type ConvertedSetting,
  directSetting,
  type DirectSetting,
  type SettingSupportTable,
  type SettingTables,
  unsupportedSetting,
  type UnsupportedSetting,
  valueChecks,
} from '../engine/setting-tables.ts'
export { createSseFraming, type Framing, ndjsonFraming } from '../engine/stream-framing.ts'
export type {
  BlockEventReader,
  BlockFormat,
  BlockRequest,
  BlockResponse,
  BlockRow,
  BlockStream,
  BlockTable,
  BlockWriting,
  NameRows,
  OptionalPartField,
  UsageKeys,
  WireFields,
} from './block-format.ts'
export { createBlockCodec } from './create-block-codec.ts'
export { defineSettings } from './define-settings.ts'
export { readMedia, readReasoning, readText, readTool, readToolCall, readToolResult } from './read-blocks.ts'
