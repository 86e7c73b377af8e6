// Package roof imports a private package.
package roof

import "example.com/house/internal/cellar"

// Roof has one field.
type Roof struct{ Cellar cellar.Cellar }
