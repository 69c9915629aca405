// @ts-check
// `npm run test:agents`: runs the agent programs of tools/agents against the gateway, without a network where the system allows it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

if (!existsSync(new URL('../tools/agents/node_modules/.bin', import.meta.url))) {
  console.log('skipped: the agent programs are not installed. Run `npm ci` in tools/agents.')
  process.exit()
}
const tests = 'node_modules/.bin/vitest run --maxWorkers=1 test/agents'
const isolated = `ip link set lo up && ${tests}`
const canIsolate = spawnSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up']).status === 0
const [command, args] = canIsolate ? ['unshare', ['-n', 'sh', '-c', isolated]] : ['sh', ['-c', tests]]
if (!canIsolate)
  console.log('The programs are not isolated: this system has no `unshare -n`. They get no keys.')
const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, AGENTS: '1' } })
process.exit(status ?? 1)
