package parse

import (
	"fmt"
	"strings"
	"testing"
)

const typical = `MATCH (a:Airport {code: $code})-[r:ROUTE*1..2]->(b:Airport)
WHERE b.elev > 1000 AND NOT b.country IN ['US', 'CA']
RETURN b.code AS code, count(*) AS ways ORDER BY ways DESC, code LIMIT 10`

func BenchmarkStatement(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Statement(typical); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLong parses one statement of many patterns; the time per pattern has to stay the same.
func BenchmarkLong(b *testing.B) {
	for _, patterns := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(patterns), func(b *testing.B) {
			text := long(patterns)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Statement(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func long(patterns int) string {
	var text strings.Builder
	text.WriteString("CREATE (a0)")
	for i := range patterns {
		fmt.Fprintf(&text, ",\n(a%d)-[:ROUTE {id: '%d', dist: %d}]->(b%d)", i, i, i*7, i)
	}
	return text.String()
}
