import { exerciseManyProcesses } from '@holdfast/store-trials/suites';
import { rigTests } from './test-database.js';

exerciseManyProcesses(rigTests(), { tells: true });
