import { Command } from 'commander'
import { runChat } from '../chat/command.ts'
import { addExamples } from '../command-examples.ts'
import { DEMO_MODEL_NAME } from '../chat/chat.ts'
import { printLine, type Terminal } from '../command-io.ts'
import { runTour, type TourOptions } from './tour.ts'

export function createDemoCommand(terminal: Terminal): Command {
  return addExamples(
    new Command('demo')
      .description(
        'A guided tour without keys and network: a conversation with tools, handed to every wire format, stored, branched and ' +
          'resumed. It ends in a chat prompt, or ends where there is no terminal.',
      )
      .option('--whole', 'show the requests whole')
      .action((options: TourOptions) => runDemo(options, terminal)),
    [
      ['The tour', 'interlingua demo'],
      ['With every request in full', 'interlingua demo --whole'],
    ],
  )
}

const NEXT_COMMANDS = [
  'interlingua chat        talk to a model, and switch models in mid-conversation',
  'interlingua convert     translate requests, responses and streams',
  'interlingua doctor      what is set up here, and what to do next',
]

async function runDemo(options: TourOptions, terminal: Terminal): Promise<void> {
  await runTour(terminal, options)
  await printLine(terminal)
  for (const line of NEXT_COMMANDS) await printLine(terminal, line)
  if (terminal.stdin.isTTY !== true || terminal.stdout.isTTY !== true) return
  await printLine(terminal)
  await runChat([], { model: DEMO_MODEL_NAME, mcp: [], store: false }, terminal)
}
