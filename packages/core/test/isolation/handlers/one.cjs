let runs = 0;
module.exports = ({ name }) => `${name} ${++runs}`;
