import type { ChatRequest } from '../../canonical/model/request.ts'
import { child } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { markerEscapes, NAMESPACE } from './constants.ts'

/** The efforts that the models know. Source: "Reasoning" of the guide of openai/harmony. */
const EFFORTS = ['low', 'medium', 'high'] as const

type HarmonyEffort = (typeof EFFORTS)[number]

const EFFORT_LINE = /^Reasoning: (\w+)$/im

/** The line that every system message of a prompt contains. */
const CHANNELS_LINE = '# Valid channels:'

/** Returns true for a system message that describes the model and its channels, and no task. */
export function isHeader(content: string): boolean {
  return content.includes(CHANNELS_LINE)
}

/** Reads the effort of a header. */
export function readEffort(header: string): HarmonyEffort | undefined {
  const word = EFFORT_LINE.exec(header)?.[1]?.toLowerCase()
  return EFFORTS.find((effort) => effort === word)
}

/**
 * Writes the header: the one that was read, with the present effort, or the one that the models were trained with. Source:
 * "System message format" of the guide of openai/harmony; the date is omitted, so that the same conversation is always the same text.
 */
export function writeHeader(
  given: unknown,
  { reasoning }: ChatRequest,
  hasTools: boolean,
  report: FormatReporter,
): string {
  const effort = EFFORTS.find((each) => each === reasoning?.effort)
  for (const key of Object.keys(reasoning ?? {}))
    if (key !== 'effort' || effort === undefined)
      report.add('setting-omitted', child(child(undefined, 'reasoning'), key))
  const line = effort === undefined ? '' : `Reasoning: ${effort}`
  if (given === '') return ''
  if (typeof given === 'string') return markerEscapes.escape(given.replace(EFFORT_LINE, line))
  return [
    'You are ChatGPT, a large language model trained by OpenAI.',
    'Knowledge cutoff: 2024-06',
    '',
    ...(line === '' ? [] : [line, '']),
    `${CHANNELS_LINE} analysis, commentary, final. Channel must be included for every message.`,
    ...(hasTools ? [`Calls to these tools must go to the commentary channel: '${NAMESPACE}'.`] : []),
  ].join('\n')
}
