/** One folder per project, so that erasing it removes one folder. The last digits distribute the folders. */
export const projectFolder = (projectId: string): string => `projects/${projectId.slice(-2)}/${projectId}`

/** Each upload has its own key, so that removing the logo before never removes the new one. */
export const logoKey = (projectId: string, uploadId: string): string =>
  `${projectFolder(projectId)}/logo-${uploadId}`
