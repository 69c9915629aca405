// @ts-check
import { directSetting, valueChecks } from 'interlingua/dialects/kit'

/**
 * The settings that the provider has, with the key of each. Every other setting is reported as a loss.
 *
 * @type {NonNullable<import('interlingua/dialects/kit').BlockRequest['settings']>}
 */
export const settings = {
  // TODO: the settings in the documentation of the provider
  maxOutputTokens: directSetting('max_tokens', valueChecks.integer),
  temperature: directSetting('temperature', valueChecks.number),
  topP: directSetting('top_p', valueChecks.number),
  stop: directSetting('stop', valueChecks.strings),
  stream: directSetting('stream', valueChecks.boolean),
}
