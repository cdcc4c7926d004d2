/** For `holdfast move` (docs/moving-stores.md), and for nothing else: it changes with the tables. */
export { movableMysqlStore } from './moving/movable-store.js';
