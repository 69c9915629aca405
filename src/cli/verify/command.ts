import { Command } from 'commander'
import { examples } from '../examples.ts'
import { formOption, kindOption } from '../input/options.ts'
import type { Terminal } from '../terminal.ts'
import { verify, type VerifyOptions } from './verify.ts'

export function verifyCommand(terminal: Terminal): Command {
  return examples(
    new Command('verify')
      .description(
        'Reads requests, responses, streams, stored conversations and recorded exchanges, and writes each in every format. ' +
          'Shows how much meaning is lost on each way, and whether the promises hold: exact in its own format, readable ' +
          'and accepted in the others, nothing lost in silence. Exit code 5 where one is broken.',
      )
      .argument(
        '[paths...]',
        'files and folders (.json, .jsonl, .ndjson, .sse); standard input where left out',
      )
      .addOption(formOption('-f, --from <form>', 'what it is, where that is not found out by itself'))
      .addOption(kindOption())
      .option('--json', 'as JSON')
      .action((paths: readonly string[], options: VerifyOptions) => verify(paths, options, terminal)),
    [
      ['One request', 'interlingua verify request.json'],
      ['A whole folder', 'interlingua verify .'],
      ['For a program', 'cat log.jsonl | interlingua verify --json'],
    ],
  )
}
