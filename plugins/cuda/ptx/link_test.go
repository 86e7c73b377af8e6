package ptx_test

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/plugins/cuda/ptx"
	"github.com/penstock-db/penstock/plugins/cuda/ptx/ptxtest"
)

const (
	store = `.func store(.param .b64 to, .param .b64 value)
{
	.reg .b64 %w<3>;
	ld.param.b64 %w1, [to];
	ld.param.b64 %w2, [value];
	st.global.b64 [%w1+0], %w2;
	ret;
}
`
	weigh = `.func (.param .b64 result) weigh(.param .b64 from, .param .b64 i)
{
	.reg .b64 %w<4>;
	ld.param.b64 %w1, [i];
	cvt.rn.f64.s64 %w2, %w1;
	{
	.param .b64 argument;
	.param .b64 returned;
	st.param.b64 [argument], %w2;
	call.uni (returned), penstock_exp, (argument);
	ld.param.b64 %w3, [returned];
	}
	st.param.b64 [result], %w3;
	ret;
}
`
)

// caller is testdata/caller.cu as clang compiles it.
//
//go:embed testdata/caller.ptx
var caller string

// Every call becomes the body, with the caller's registers for parameters and result.
func TestLink(t *testing.T) {
	linked, err := ptx.Link(caller, store+weigh)
	if err != nil {
		t.Fatal(err)
	}
	ptxtest.Assemble(t, linked)
	kernel, functions, _ := strings.Cut(linked, ".func store(")
	_, kernel, _ = strings.Cut(kernel, ".entry")
	for _, left := range []string{"callseq", "call.uni (retval0)", "\n\tstore,", "\tret;\n\tret;", "[result]"} {
		if strings.Contains(kernel, left) {
			t.Errorf("%q is left in\n%s", left, kernel)
		}
	}
	for _, want := range []string{
		"\t{ // store\n\t.reg .b64 %w<3>;\n\tmov.b64 %w1, %rd8;\n\tmov.b64 %w2, %rd23;\n\tst.global.b64 [%w1+0], %w2;\n\t}\n",
		"\t{ // weigh\n\t.reg .b64 %w<4>;\n\tmov.b64 %w1, %rd22;\n",
		"\tmov.b64 %rd13, %w3;\n\t}\n", "\tmov.b64 %rd15, %w3;\n\t}\n", "\tmov.b64 %rd18, %w3;\n\t}\n",
	} {
		if !strings.Contains(kernel, want) {
			t.Errorf("there is no\n%s in\n%s", want, kernel)
		}
	}
	if got := strings.Count(kernel, "call.uni (returned), penstock_exp"); got != 3 {
		t.Errorf("%d calls of penstock_exp; expected one of each weigh", got)
	}
	if !strings.Contains(functions, "weigh(") {
		t.Error("the functions do not stand behind the kernels")
	}
}

// What there is no result wanted of is not stored.
func TestLink_UnusedResult(t *testing.T) {
	text := strings.ReplaceAll(caller, "\tld.param.b64 \t%rd18, [retval0+0];\n", "")
	linked, err := ptx.Link(text, store+weigh)
	if err != nil {
		t.Fatal(err)
	}
	ptxtest.Assemble(t, linked)
	if strings.Contains(linked, "%rd18, %w3") {
		t.Error("the result is stored")
	}
}

// A call that is written otherwise is left, and is a call of the function behind.
func TestLink_OtherCalls(t *testing.T) {
	linked, err := ptx.Link(strings.ReplaceAll(caller, " // callseq", " // sequence"), store+weigh)
	if err != nil {
		t.Fatal(err)
	}
	ptxtest.Assemble(t, linked)
	if strings.Contains(linked, "{ // weigh") {
		t.Error("a call was replaced")
	}
}

func TestLink_Errors(t *testing.T) {
	for functions, want := range map[string]string{
		store:                      "the kernels call weigh, but there are only [store]",
		store + weigh + "nonsense": "these are no straight functions: nonsense",
	} {
		if _, err := ptx.Link(caller, functions); err == nil || err.Error() != want {
			t.Errorf("got %v; expected %s", err, want)
		}
	}
}
