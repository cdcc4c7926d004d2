import { exerciseFolding } from '@holdfast/store-trials/suites';
import { rigTests } from './test-database.js';

exerciseFolding(rigTests());
