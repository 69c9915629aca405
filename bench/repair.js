// @ts-check
// Repair works in one pass: twice the messages cost about twice the time, however many are invalid.
import { assistant, repair, toolCall, toolResult, toolResults, user, validate } from 'interlingua'

/** @param {number} rounds */
function broken(rounds) {
  const round = [
    assistant(toolCall({ id: 'call', name: 'x' }), { id: 'm' }),
    user('Hello', { id: 'm' }),
    toolResults(toolResult('call', 'late'), { id: 'm' }),
  ]
  return Array.from({ length: rounds }, () => round).flat()
}

const [short, long] = [broken(5000), broken(10_000)]

/** @type {readonly import('./messages.js').Benchmark[]} */
export const repairing = [
  {
    name: 'repair 30,000 messages, each one wrong, against 15,000',
    ours: () => repair(long).length,
    plain: () => repair(short).length * 2,
  },
  {
    name: 'validate 30,000 messages, each one wrong, against 15,000',
    ours: () => (validate(long).length > 0 ? 1 : 0),
    plain: () => (validate(short).length > 0 ? 1 : 0),
  },
]
