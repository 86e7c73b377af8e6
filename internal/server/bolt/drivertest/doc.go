// Package drivertest runs Neo4j's drivers against the server. It is a module of its own, so that
// the product does not depend on them.
package drivertest
