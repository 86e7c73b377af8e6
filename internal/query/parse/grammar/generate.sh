#!/bin/sh
# Makes the parser from Cypher.g4 by antlr-ng (https://www.antlr-ng.org), which needs node and npm:
#
#     go generate ./internal/query/parse/grammar
#
# Where npm is not there, the ANTLR 4.13.1 tool makes the same parser:
#
#     java -jar antlr-4.13.1-complete.jar -Dlanguage=Go -package grammar -no-visitor Cypher.g4
set -eu
cd "$(dirname "$0")"
npx --yes antlr-ng@1.0.10 -Dlanguage=Go --package grammar --generate-visitor false -o . Cypher.g4
rm -f Cypher.interp Cypher.tokens
for made in cypher_*.go; do
    sed -i '1i // Code generated from Cypher.g4 by antlr-ng; DO NOT EDIT.\n' "$made"
done
# The generator keeps its labels used by a jump behind a return, which go vet calls unreachable.
awk '/goto errorExit \/\/ Trick/ { next } /^errorExit:/ { print "if p.HasError() { goto errorExit }" } { print }' \
    cypher_parser.go > cypher_parser.tmp
mv cypher_parser.tmp cypher_parser.go
gofmt -w cypher_*.go
