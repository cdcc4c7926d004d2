/** A worker with a free slot asks again at least so often. */
export const QUIET_MS = 30_000;
/** Whoever says nothing for so long does not extend leases either. */
export const SILENT_MS = 90_000;
