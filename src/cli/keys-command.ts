import { randomBytes } from 'node:crypto'
import { Command } from 'commander'
import { hashKey } from '../gateway/client-registry.ts'
import { addCommandExamples } from './command-examples.ts'
import { printJson, printLines, type Terminal } from './command-io.ts'

/** Random bytes of a key, and the text before them, by which people and scanners recognize it. */
const KEY_BYTES = 32
const KEY_PREFIX = 'ilk_'

export function createCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('keys')
      .description(
        'Creates a key for a client of the gateway. The key is printed once; the configuration contains only its digest.',
      )
      .argument('<name>', 'the name of the client in logs')
      .option('--models <patterns>', 'the models that the client may use, separated by commas', (text) =>
        text.split(','),
      )
      .option('--json', 'print a JSON object with the key and the entry of the configuration')
      .action(
        async (name: string, options: { readonly models?: readonly string[]; readonly json?: boolean }) => {
          const key = `${KEY_PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`
          const { models, json } = options
          const entry = { name, digest: await hashKey(key), ...(models && { models }) }
          if (json === true) return printJson(terminal, { key, entry })
          return printLines(terminal, [
            `The key of ${name}, which is not shown again:`,
            key,
            '',
            'Add this entry to `keys` of the configuration of the gateway:',
            JSON.stringify(entry),
          ])
        },
      ),
    [['Create a key', 'interlingua keys alice --models claude-*,gpt-*']],
  )
}
