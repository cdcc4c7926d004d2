import { type AdminContext, type AdminIdentity } from '@holdfast/nestjs';
import { LOOPBACK } from './http/free-port.js';

export const DASHBOARD_PATH = '/admin/queues';

const LOOPBACK_PEERS: readonly (string | undefined)[] = [LOOPBACK, '::1', `::ffff:${LOOPBACK}`];
const OWN_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** The part of a request that says where it comes from. */
interface DashboardRequest {
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * Who may see and mend the queues. The demo trusts whoever sits at this machine, and nobody else: the host is looked at too, so
 * that no web page reaches it under a name of its own that points here.
 *
 * An app that others can reach asks its session instead: `request.user?.isStaff ? { role: 'operator', actor: request.user.email } : null`.
 */
export function authorizeDashboard({ request, headers }: AdminContext<DashboardRequest>): AdminIdentity | null {
  const local = LOOPBACK_PEERS.includes(request.socket.remoteAddress) && OWN_HOST.test(headers.host ?? '');
  return local ? { role: 'operator', actor: 'local visitor' } : null;
}
