package lower

import (
	"fmt"
	"strings"
)

// text is the function in PTX.
func (f *function) text() string {
	var b strings.Builder
	b.WriteString(f.head() + "\n{\n")
	for c, n := range f.registers {
		if n > 0 {
			fmt.Fprintf(&b, "\t.reg .%s %%%s<%d>;\n", classes[c].kind, classes[c].prefix, n+1)
		}
	}
	for _, i := range f.instructions {
		b.WriteString(i.text())
	}
	for _, e := range f.effects {
		fmt.Fprintf(&b, "\t%s %s;\n", e.opcode, strings.Join(e.operands, ", "))
	}
	b.WriteString("\tret;\n}\n")
	return b.String()
}

func (f *function) head() string {
	result := ""
	if f.hasResult {
		result = "(.param .b64 result) "
	}
	return fmt.Sprintf(".func %s%s(.param .b64 %s)", result, f.name, strings.Join(f.parameters, ", .param .b64 "))
}

func (i instruction) text() string {
	if i.opcode == "call.uni" {
		return fmt.Sprintf(callText, i.operands[1], i.operands[0], i.to)
	}
	return fmt.Sprintf("\t%s %s, %s;\n", i.opcode, i.to, strings.Join(i.operands, ", "))
}

// callText calls a function with one argument: its register, the function's name, the result's register.
const callText = `	{
	.param .b64 argument;
	.param .b64 returned;
	st.param.b64 [argument], %s;
	call.uni (returned), %s, (argument);
	ld.param.b64 %s, [returned];
	}
`
