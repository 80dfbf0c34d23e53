import { spawnSync } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { mountSmall } from '../../support/small-disk.ts'

/** A folder on its own file system, which can be filled. */
export interface SmallDisk {
  folder: string
  /** False where mounting is not permitted: the folder is an ordinary one then. */
  canFill: boolean
  /** Takes up all free space. */
  fill(): Promise<void>
  free(): Promise<void>
  unmount(): void
}

const BLOCK = Buffer.alloc(64 * 1024)

export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true })
  const canFill = mountSmall(folder, megabytes)
  const unmount = () => {
    if (canFill) spawnSync('umount', ['--lazy', folder])
    process.off('exit', unmount)
  }
  process.on('exit', unmount)
  const ballast = join(folder, 'ballast')
  return { folder, canFill, fill: () => fillUp(ballast), free: () => rm(ballast, { force: true }), unmount }
}

async function fillUp(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (let block = BLOCK; block.length > 0; ) {
      const { bytesWritten } = await file.write(block)
      if (bytesWritten < block.length) block = block.subarray(0, block.length - bytesWritten)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    await file.close()
  }
}
