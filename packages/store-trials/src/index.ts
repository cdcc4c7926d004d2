export {
  type Fault,
  faultsOf,
  type ProofFigures,
  type ProofPlan,
  type ProofRig,
  prove,
  type WorkerOpening,
} from './proof.js';
export { disagreements, type ReadableStore, type StoreAccount, storeAccount } from './store-account.js';
export { TcpProxy } from './tcp-proxy.js';
export { EvenRandom, TWIN_RETENTION, TwinLife, type TwinSubject } from './twin-life.js';
