package card

import (
	"testing"

	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

// TestMain has everything here compute on softcuda, a test double of a card.
func TestMain(m *testing.M) { softcuda.Main(m) }
