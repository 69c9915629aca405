import { type AgentTool, tool } from '../agent/tools/tool.ts'

/** Invented temperatures; constant, so that the samples are reproducible. */
const CELSIUS: { readonly [city: string]: number } = { oslo: 4, rome: 15, tokyo: 18, cairo: 29 }

/** Tools for the demo model. They have no side effects. */
export const demoTools: readonly AgentTool[] = [
  tool<{ readonly city: string }>({
    name: 'weather',
    description: 'Returns the weather of a city. The numbers are invented.',
    input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    run: ({ city }) => ({ city, celsius: CELSIUS[city.toLowerCase()] ?? city.length * 2 }),
    idempotent: true,
  }),
  tool({
    name: 'clock',
    description: 'Returns the current date and time.',
    run: () => ({ now: new Date().toISOString() }),
    idempotent: true,
  }),
]

/** Tools for chats of the studio: those of the demo model, and one that asks for approval. */
export const studioTools: readonly AgentTool[] = [
  ...demoTools,
  tool<{ readonly note: string }>({
    name: 'remind',
    description: 'Sets a reminder with a note. Asks the user for approval first. Nothing is really set.',
    input: { type: 'object', properties: { note: { type: 'string' } }, required: ['note'] },
    needsApproval: true,
    run: ({ note }) => ({ reminder: 'set', note }),
  }),
]
