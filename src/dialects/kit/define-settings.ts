import type { ChatRequest } from '../../canonical/model/request.ts'
import {
  convertedSetting,
  type SettingSupportTable,
  type SettingTables,
  unsupportedOpenaiSettings,
  unsupportedSetting,
} from '../engine/setting-tables.ts'

/** A table in which no setting is supported. A new setting does not compile until it has a row. */
const unsupportedTables: SettingTables = {
  request: {
    maxOutputTokens: unsupportedSetting(),
    temperature: unsupportedSetting(),
    topP: unsupportedSetting(),
    topK: unsupportedSetting(),
    seed: unsupportedSetting(),
    stop: unsupportedSetting(),
    presencePenalty: unsupportedSetting(),
    frequencyPenalty: unsupportedSetting(),
    model: convertedSetting([]),
    messages: convertedSetting([]),
    tools: unsupportedSetting(),
    toolChoice: unsupportedSetting(),
    output: unsupportedSetting(),
    reasoning: unsupportedSetting(),
    logprobs: unsupportedSetting(),
    stream: convertedSetting([]),
    parallelToolCalls: unsupportedSetting(),
    candidateCount: unsupportedSetting(),
    user: unsupportedSetting(),
    ...unsupportedOpenaiSettings,
    extra: convertedSetting([]),
  },
  reasoning: {
    enabled: unsupportedSetting(),
    effort: unsupportedSetting(),
    budgetTokens: unsupportedSetting(),
    include: unsupportedSetting(),
    summary: unsupportedSetting(),
  },
  output: {
    type: unsupportedSetting(),
    schema: unsupportedSetting(),
    name: unsupportedSetting('output-name'),
    description: unsupportedSetting(),
    strict: unsupportedSetting(),
  },
  logprobs: { top: unsupportedSetting() },
  toolChoice: {
    auto: convertedSetting([]),
    none: unsupportedSetting(),
    required: unsupportedSetting(),
    name: unsupportedSetting(),
    allowed: unsupportedSetting(),
    mode: unsupportedSetting(),
  },
}

/**
 * Returns the setting tables of a dialect from the settings that it supports; every other setting is reported as a loss.
 *
 * @example
 * defineSettings({ temperature: directSetting('heat', valueChecks.number) })
 */
export function defineSettings(supported: Partial<SettingSupportTable<ChatRequest>>): SettingTables {
  return { ...unsupportedTables, request: { ...unsupportedTables.request, ...supported } }
}
