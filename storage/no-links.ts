/** Error codes of file systems without hard links, or for links to another volume. */
export const NO_LINKS = new Set<unknown>(['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK'])
