/** How the numbers of jobs and leases are called outside: as by every store that can be moved. */
export { formatId, formatToken, makeToken, parseId, parseToken, storeTag } from '@holdfast/contract/rules';
