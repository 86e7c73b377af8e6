// Package argument says what arguments, once they are bound, give a program or an oracle. Package param has the
// parameters that they come of.
package argument
