/** Why a file cannot be written, by the codes of the system. */
const WRITE_ERROR_REASONS: { readonly [code: string]: string } = {
  EACCES: 'permission is denied',
  EDQUOT: 'no room is left',
  EFBIG: 'the file would become too large',
  EISDIR: 'it is a folder',
  ENOENT: 'its folder is not there',
  ENOSPC: 'no room is left',
  ENOTDIR: 'its folder is not there',
  EPERM: 'permission is denied',
  EROFS: 'it can only be read',
}

/** Why something could not be written, in words. */
export function describeWriteError(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown reason'
  const code = 'code' in cause ? String(cause.code) : ''
  return WRITE_ERROR_REASONS[code] ?? cause.message
}
