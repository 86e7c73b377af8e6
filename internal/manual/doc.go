// Package manual tells what algorithms take and give, in lines for a terminal (penstock algorithms) and for the page of
// the catalog (manual/page).
package manual
