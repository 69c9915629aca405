import { throwInvalid, throwWrongType } from '../../canonical/shape/shape.ts'
import { child } from '../../wire/json-pointer.ts'
import { describeType } from '../../wire/json.ts'

/** Throws if a server cannot listen on a port and a host because they are no port and no host. */
export function checkListenAddress(port: number, host: string): void {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throwInvalid('invalid-value', child(undefined, 'port'), describeType(port), 'a port from 0 to 65535')
  if (typeof (host as unknown) !== 'string' || host === '')
    throwWrongType(host, child(undefined, 'host'), 'a host name')
}
