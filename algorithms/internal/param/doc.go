// Package param has the parameters that several algorithms share.
package param
