import { Command } from 'commander'
import { chat } from '../chat/command.ts'
import { examples } from '../examples.ts'
import { DEMO } from '../models.ts'
import { say, type Terminal } from '../terminal.ts'
import { tour, type TourOptions } from './tour.ts'

export function demoCommand(terminal: Terminal): Command {
  return examples(
    new Command('demo')
      .description(
        'A guided tour without keys and network: a conversation with tools, handed to every wire format, stored, branched and ' +
          'resumed. It ends in a chat prompt, or ends where there is no terminal.',
      )
      .option('--whole', 'show the requests whole')
      .action((options: TourOptions) => demo(options, terminal)),
    [
      ['The tour', 'interlingua demo'],
      ['With every request in full', 'interlingua demo --whole'],
    ],
  )
}

const NEXT = [
  'interlingua chat        talk to a model, and switch models in mid-conversation',
  'interlingua convert     translate requests, responses and streams',
  'interlingua doctor      what is set up here, and what to do next',
]

async function demo(options: TourOptions, terminal: Terminal): Promise<void> {
  await tour(terminal, options)
  await say(terminal)
  for (const line of NEXT) await say(terminal, line)
  if (terminal.stdin.isTTY !== true || terminal.stdout.isTTY !== true) return
  await say(terminal)
  await chat([], { model: DEMO, mcp: [], store: false }, terminal)
}
