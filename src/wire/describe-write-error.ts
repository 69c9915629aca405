/** Reasons why a file cannot be written, by system error code. */
const WRITE_ERROR_REASONS: { readonly [code: string]: string } = {
  EACCES: 'permission is denied',
  EDQUOT: 'the disk quota is exceeded',
  EFBIG: 'the file would become too large',
  EISDIR: 'the path is a directory',
  ENOENT: 'the directory does not exist',
  ENOSPC: 'no space is left on the device',
  ENOTDIR: 'the directory does not exist',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
}

/** Describes why a file could not be written. */
export function describeWriteError(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown reason'
  const code = 'code' in cause ? String(cause.code) : ''
  return Object.hasOwn(WRITE_ERROR_REASONS, code) ? (WRITE_ERROR_REASONS[code] as string) : cause.message
}
