/** Builds what an installation needs: programs as bundles, and the pages. Each part only if its sources have changed. */
import '../media/build.ts'
import '../identity/build.ts'
import '../server/build.ts'
import '../web/build.ts'
