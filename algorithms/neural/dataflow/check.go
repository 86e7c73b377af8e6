package dataflow

import (
	"fmt"
	"slices"
)

// OpNamed is the operator of a name.
func OpNamed(name string) (Op, bool) {
	i := slices.Index(opNames[:], name)
	return Op(max(i, 0)), i >= 0
}

// mostNumbers bounds the widths of values and the sizes of parameters.
const mostNumbers = 1 << 30

// Check says what is wrong with values that come from elsewhere: arguments that do not come before, shapes that
// do not fit. What it lets pass can be computed.
func Check(values []*Value) error {
	earlier := make(map[*Value]bool, len(values))
	for i, v := range values {
		for _, a := range v.Args {
			if !earlier[a] {
				return fmt.Errorf("value %d is made of one that does not come before it", i)
			}
		}
		if err := v.check(); err != nil {
			return fmt.Errorf("value %d: %w", i, err)
		}
		earlier[v] = true
	}
	return nil
}

// check holds the shape of v against those of its arguments.
func (v *Value) check() error {
	bad := fmt.Errorf("%v of these widths, places or arguments", v.Op)
	if v.Place > Edges || v.End > AtSource || v.Width < 1 || v.Width > mostNumbers || len(v.Args) != v.Op.arguments() {
		return bad
	}
	if v.Place == Parameters && (v.Rows < 1 || v.Rows > mostNumbers/v.Width) || v.Place != Parameters && v.Rows != 0 {
		return bad
	}
	if v.Varies && v.Op != Input {
		return fmt.Errorf("%v that varies: inputs alone do", v.Op)
	}
	if !v.fits() {
		return bad
	}
	return nil
}

// arguments is how many arguments o takes.
func (o Op) arguments() int {
	switch {
	case o <= Property:
		return 0
	case o.IsBinary(), o == Outer, o == Product, o == ProductTransposed, o == Join, o == CrossEntropy,
		o == CrossEntropySlope:
		return 2
	}
	return 1
}

// fits says whether places and widths are those that the operator makes of its arguments.
func (v *Value) fits() bool {
	var x, y *Value
	if len(v.Args) > 0 {
		x = v.Args[0]
	}
	if len(v.Args) > 1 {
		y = v.Args[1]
	}
	along := func(wide int) bool { // row by row where the arguments lie
		place, rows := x.Place, x.Rows
		if y != nil && !v.Op.isProduct() {
			place, rows = max(place, y.Place), max(rows, y.Rows)
			if !crosses(x, y) && !crosses(y, x) {
				return false
			}
		}
		return v.Place == place && v.Width == wide && (place != Parameters || v.Rows == rows)
	}
	switch v.Op {
	case Input:
		return v.Place == Vertices && v.Name != ""
	case Parameter:
		return v.Place == Parameters
	case Number:
		return v.Place == Parameters && v.Rows == 1 && v.Width == 1
	case Mask:
		return v.Place != Parameters && v.Number >= 0 && v.Number < 1
	case Property:
		return v.Place == Edges && v.Width == 1 && v.Name != ""
	case Source, Target:
		return v.Place == Edges && x.Place == Vertices && v.Width == x.Width
	case GatherSum, GatherMax:
		return v.Place == Vertices && x.Place == Edges && v.Width == x.Width
	case SumRows:
		return v.Place == Parameters && x.Place != Edges && v.Rows == 1 && v.Width == x.Width
	case Repeat:
		return v.Place == Vertices && x.Place == Parameters && x.Rows == 1 && v.Width == x.Width
	case Outer:
		return v.Place == Parameters && x.Place == y.Place && x.Rows == y.Rows && v.Rows == x.Width && v.Width == y.Width
	case Product:
		return y.Place == Parameters && x.Width == y.Rows && along(y.Width)
	case ProductTransposed:
		return y.Place == Parameters && x.Width == y.Width && along(y.Rows)
	case SumParts:
		return along(v.Width) && x.Width%v.Width == 0
	case Spread:
		return along(v.Width) && v.Width%x.Width == 0
	case Join:
		return along(x.Width + y.Width)
	case Part:
		return along(v.Width) && v.Number >= 0 && v.Number <= float64(x.Width-v.Width)
	case CrossEntropy:
		return y.Width == 1 && along(1)
	case CrossEntropySlope:
		return y.Width == 1 && along(x.Width)
	}
	if y == nil {
		return along(x.Width)
	}
	return Fits(x.Width, y.Width) && along(max(x.Width, y.Width))
}

func (o Op) isProduct() bool { return o == Product || o == ProductTransposed }

// crosses says whether x may meet y row by row: it has as many rows, at the same place, or is one row of a parameter.
func crosses(x, y *Value) bool {
	return x.Place == Parameters && x.Rows == 1 || x.Place == y.Place && x.Rows == y.Rows
}
