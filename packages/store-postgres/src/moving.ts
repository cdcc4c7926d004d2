/** For `holdfast move` (docs/moving-stores.md), and for nothing else: it changes with the tables. */
export { movablePostgresStore } from './moving/movable-store.js';
