package plaintext

import "testing"

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a line\nand\tone": "a line\nand\tone", "größer ≥ 水": "größer ≥ 水",
		"\x1b[31mred\x07": "\ufffd[31mred\ufffd", "\r\x00\x7f\u009b": "\ufffd\ufffd\ufffd\ufffd", "\u202eevil": "\ufffdevil",
	} {
		if got := Clean(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if err := CheckLine(text); (err == nil) != (text == want && text != "a line\nand\tone") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestLine(t *testing.T) {
	for text, want := range map[string]string{"": "", "a\nb\tc": "a b c", "äöü": "äöü", "äöüß": "äöü…", "\x1b[2": "\ufffd[2",
		"ab\x1b\x1b": "ab\ufffd…", "\xff\xfe": "\ufffd\ufffd"} {
		if got := Line(text, 3); text != "a\nb\tc" && got != want || Line(text, 5) != want && len(text) < 4 {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := Lines("a\nb\x1b and more", 4); got != "a\nb\ufffd…" {
		t.Errorf("%q", got)
	}
}
