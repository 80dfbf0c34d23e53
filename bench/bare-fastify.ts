import Fastify from 'fastify'
import pg from 'pg'

/** The bare limit: a Fastify route that does one primary-key SELECT, prepared once, and nothing else. */
const [databaseUrl] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: databaseUrl, options: '-c search_path=parley', max: 20 })
const app = Fastify()

app.get<{ Params: { pid: string } }>('/projects/:pid', async (request) => {
  const { rows } = await pool.query({
    name: 'project',
    text: 'select * from projects where id = $1',
    values: [request.params.pid],
  })
  return rows[0]
})

process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) })
process.on('disconnect', () => process.exit(0))
