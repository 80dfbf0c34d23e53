/** The `language` of a project whose conversations are detected, each on its own. */
export const AUTO = 'auto'
