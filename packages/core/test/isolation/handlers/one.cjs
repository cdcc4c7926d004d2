let runs = 0;
/** @type {import('@holdfast/core').Handler} */
module.exports = ({ name }) => `${name} ${++runs}`;
