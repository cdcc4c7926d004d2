import { exerciseNestModule } from '@holdfast/store-trials/suites';
import { rigTests } from './test-database.js';

exerciseNestModule(rigTests(), 3306);
