export { type ConnectionSuite, exerciseConnection } from './connection.js';
export { exerciseDashboard } from './dashboard.js';
export { exerciseManyProcesses } from './many-processes.js';
export { exerciseMoving, type MovingRig, type MovingSuite } from './moving.js';
export { exerciseNestModule } from './nest-module.js';
export { exercisePlans } from './plans.js';
export { NO_PRISMA, type PrismaApplication, prismaLibrary } from './prisma.js';
export { exerciseTransactions, type InTransaction, type Library, type TransactionSuite } from './transactions.js';
export type { OpenTransaction, OverRig, TrialOptions, TrialRig } from './trial-rig.js';
