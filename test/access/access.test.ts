// One process and one backend for all of them. Those that compare all tables come first, while there are few tenants.
import './authorize.ts'
import './staff-paths.ts'
import './ids.ts'
import './tiers.ts'
import './check-order.ts'
import './routes.ts'
import './parallel-changes.ts'
import './audit.ts'
