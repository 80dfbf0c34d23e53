// One process and one backend for all of them.
import './bad-requests.ts'
import './odd-times.ts'
import './every-route.ts'
