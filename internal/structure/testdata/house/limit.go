package house

// Limit depends on nothing.
const Limit = 3
