// Package answer makes the answers of oracles, and judges those of devices.
package answer
