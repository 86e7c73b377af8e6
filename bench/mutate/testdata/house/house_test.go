package house

import "testing"

func Test(t *testing.T) {
	if Rooms(2, 3) != 6 || !Large(9) || Large(2) || Count(3) != 3 || Count(0) != 0 {
		t.Fail()
	}
}
