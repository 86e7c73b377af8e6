package ptx

import "strings"

// call is one of a function as clang writes it:
//
//	{ // callseq 2, 0
//	.reg .b32 temp_param_reg;
//	.param .b64 param0;
//	st.param.b64 	[param0+0], %rd3;
//	.param .b64 retval0;
//	call.uni (retval0),
//	f,
//	(
//	param0
//	);
//	ld.param.b64 	%rd9, [retval0+0];
//	} // callseq 2
type call struct {
	name      string
	arguments []string // registers
	result    string   // a register, or ""
}

const callBegins, callEnds = "\t{ // callseq ", "\t} // callseq "

// inline writes text with the bodies of functions in place of their calls.
func inline(b *strings.Builder, text string, known map[string]*function) {
	for {
		before, rest, found := strings.Cut(text, callBegins)
		b.WriteString(before)
		if !found {
			return
		}
		inside, rest, _ := strings.Cut(rest, callEnds)
		number, rest, _ := strings.Cut(rest, "\n")
		c := parseCall(inside)
		if f := known[c.name]; f != nil && len(c.arguments) == len(f.parameters) {
			f.write(b, c)
		} else { // one of another form stays
			b.WriteString(callBegins + inside + callEnds + number + "\n")
		}
		text = rest
	}
}

func parseCall(text string) (c call) {
	before := ""
	for line := range strings.Lines(text) {
		opcode, operands, _ := strings.Cut(strings.TrimSpace(line), " ")
		to, from, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(operands), ";"), ", ")
		switch opcode {
		case "st.param.b64":
			c.arguments = append(c.arguments, from)
		case "ld.param.b64":
			c.result = to
		}
		if before == "call.uni" {
			c.name = strings.TrimSuffix(opcode, ",")
		}
		before = opcode
	}
	return c
}
