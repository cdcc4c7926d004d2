throw new SyntaxError('this module does not load');
