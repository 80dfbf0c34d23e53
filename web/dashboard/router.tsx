import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { readFilters } from './conversations/filters.ts'
import { peopleRoutes } from './people-routes.ts'
import { readReportSearch } from './reports/search.ts'
import { readRoomSearch } from './room/search.ts'
import { NotFound } from './shell/not-found.tsx'
import { RouteProblem } from './shell/route-problem.tsx'
import { Shell } from './shell/shell.tsx'
import { readWebhookSearch } from './webhooks/search.ts'

const root = createRootRoute({ component: Shell })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./home/home.tsx'), 'Home'),
})

const project = createRoute({
  getParentRoute: () => root,
  path: '/projects/$pid',
  component: lazyRouteComponent(() => import('./projects/overview.tsx'), 'Overview'),
})

const projectSettings = createRoute({
  getParentRoute: () => root,
  path: '/projects/$pid/settings',
  component: lazyRouteComponent(() => import('./projects/settings/settings.tsx'), 'ProjectSettings'),
})

const poster = createRoute({
  getParentRoute: () => root,
  path: '/projects/$pid/poster',
  component: lazyRouteComponent(() => import('./projects/poster.tsx'), 'Poster'),
})

const conversations = createRoute({
  getParentRoute: () => root,
  path: '/projects/$pid/conversations',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./conversations/list.tsx'), 'Conversations'),
})

const live = createRoute({
  getParentRoute: () => root,
  path: '/projects/$pid/live',
  validateSearch: readRoomSearch,
  component: lazyRouteComponent(() => import('./room/room.tsx'), 'LiveRoom'),
})

const conversation = createRoute({
  getParentRoute: () => root,
  path: '/projects/$pid/conversations/$cid',
  component: lazyRouteComponent(() => import('./conversations/conversation.tsx'), 'Conversation'),
})

const reports = createRoute({
  getParentRoute: () => root,
  path: '/projects/$pid/reports',
  component: lazyRouteComponent(() => import('./reports/list.tsx'), 'Reports'),
})

const report = createRoute({
  getParentRoute: () => root,
  path: '/projects/$pid/reports/$rid',
  validateSearch: readReportSearch,
  component: lazyRouteComponent(() => import('./reports/report.tsx'), 'Report'),
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/projects/$pid/webhooks',
  component: lazyRouteComponent(() => import('./webhooks/list.tsx'), 'Webhooks'),
})

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/projects/$pid/webhooks/$id',
  validateSearch: readWebhookSearch,
  component: lazyRouteComponent(() => import('./webhooks/webhook.tsx'), 'Webhook'),
})

const catalogue = createRoute({
  getParentRoute: () => root,
  path: '/projects/$pid/webhooks/events',
  component: lazyRouteComponent(() => import('./webhooks/form/catalogue.tsx'), 'Catalogue'),
})

const delivery = createRoute({
  getParentRoute: () => root,
  path: '/projects/$pid/webhooks/$id/deliveries/$did',
  component: lazyRouteComponent(() => import('./webhooks/deliveries/delivery.tsx'), 'Delivery'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    project,
    projectSettings,
    poster,
    conversations,
    conversation,
    live,
    reports,
    report,
    webhooks,
    webhook,
    catalogue,
    delivery,
    ...peopleRoutes(root),
  ]),
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: RouteProblem,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
