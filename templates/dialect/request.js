// @ts-check
import { settings } from './settings.js'

/**
 * The keys of a request body.
 *
 * @type {import('interlingua/dialects/kit').BlockRequest}
 */
export const request = {
  model: 'model', // TODO: the key of the model
  messages: 'messages', // TODO: the key of the list of messages
  system: 'system', // TODO: the key of the instructions; remove it if they are messages with a role
  tools: 'tools', // TODO: the key of the list of tools
  settings,
}
