import { exerciseDashboard } from '@holdfast/store-trials/suites';
import { rigTests } from './test-database.js';

exerciseDashboard(rigTests(), 'mysql');
