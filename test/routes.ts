import { createRoutes } from '../api/routes/index.js'

/** Every route as it is declared; none of these can be called. */
export const routes = createRoutes({} as Parameters<typeof createRoutes>[0])
