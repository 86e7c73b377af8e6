// Package value is the values that a property or a query can have: openCypher's types.
//
//	null · boolean · integer · float · string · list · map
//	date · local time · time · local date time · date time · duration · point
//	node · relationship · path
//
// There are four ways of comparing values. Equal is =, which may not know; Compare is what < goes
// by, which some values do not have; Equivalent is what DISTINCT takes for the same, and Hash
// agrees with it; Order has a place for every value, for ORDER BY.
//
// What is reckoned with dates, times and durations is package temporal's, on the days and time zones of package
// calendar, which knows no values.
//
// A Value is three words and is passed by value. Booleans, integers, floats, strings, lists,
// nodes and relationships within a query take no memory beside it.
package value
