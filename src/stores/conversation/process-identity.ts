import type * as fileModule from 'node:fs'
import type * as systemModule from 'node:os'
import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import { getBuiltinModule } from '../../wire/load-modules.ts'

const files = getBuiltinModule<typeof fileModule>('node:fs')
const system = getBuiltinModule<typeof systemModule>('node:os')

/** Separates the fields of a process identity; no field contains it. */
const SEPARATOR = ' '

/** Returns a text that identifies this process: the machine, the process id and the start time. */
export function describeProcess(): string {
  const machine = describeMachine()
  // A page of a browser has no process, and a sandbox may hide it: nothing can tell whether it has ended.
  if (machine === undefined) return createId('page')
  return [machine, process.pid, readStartTime(process.pid) ?? ''].join(SEPARATOR)
}

/**
 * Tests whether the process of a {@link describeProcess} text has ended for certain: it ran on this machine, and its
 * process id is free or in use by another process. False for any other machine or text.
 */
export function hasProcessEnded(identity: string): boolean {
  const [machine, id = '', start = ''] = identity.split(SEPARATOR)
  const pid = Number(id)
  if (machine === undefined || machine !== describeMachine() || !Number.isSafeInteger(pid) || pid <= 0)
    return false
  try {
    process.kill(pid, 0) // sends no signal
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
  // Process ids are reused: after a restart, and in containers often the same one.
  const currentStart = readStartTime(pid)
  return start !== '' && currentStart !== undefined && currentStart !== start
}

/**
 * Returns the boot and the process namespace on Linux, since containers share a kernel; elsewhere the host name. Undefined if
 * the runtime has or permits neither.
 */
function describeMachine(): string | undefined {
  if (files === undefined) return undefined
  try {
    const boot = files.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}/${files.readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return readHostName()
  }
}

/** Returns the host name; Deno throws unless the program was started with a permission to read it. */
function readHostName(): string | undefined {
  try {
    return encodeURIComponent(system?.hostname() ?? '') || undefined
  } catch {
    return undefined
  }
}

/** Returns the start time of a process in ticks since the boot; on Linux only. */
function readStartTime(pid: number): string | undefined {
  try {
    const stat = files?.readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Field 2 is the process name in parentheses and may contain anything; field 22 is the start time.
    return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
