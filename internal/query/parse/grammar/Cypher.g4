/*
 * The grammar of statements, after the one of openCypher 9, with what came later: subqueries,
 * FOREACH, indexes and constraints. Tokens come from the scanner of package parse.
 *
 * It is written so that nearly every decision needs one or two tokens. Where Cypher would need
 * more, the scanner has looked ahead already: see PatternParen, ComprehensionBracket and
 * PatternBracket.
 *
 * The binary operators are alternatives of one rule, tightest first.
 */
parser grammar Cypher;

tokens {
    // Words that cannot be names, but of labels, types, properties and keys.
    ALL, AND, AS, ASC, ASCENDING, BY, CASE, CONTAINS, CREATE, DELETE, DESC, DESCENDING, DETACH,
    DISTINCT, ELSE, END, ENDS, FALSE, IN, IS, LIMIT, MATCH, MERGE, NOT, NULL, ON, OPTIONAL, OR, ORDER,
    REMOVE, RETURN, SET, SKIP_, STARTS, THEN, TRUE, UNION, UNWIND, WHEN, WHERE, WITH, XOR,
    // Words that are names where nothing else is meant.
    CALL, CONSTRAINT, CONSTRAINTS, COUNT, DROP, EXISTS, EXPLAIN, FOR, FOREACH, IF, INDEX, INDEXES, KEY,
    NODE, PROFILE, RANGE, REQUIRE, SHOW, UNIQUE, YIELD,
    // Words that mean something before a "(" only; else the scanner makes them identifiers.
    ALLSHORTESTPATHS, ANY, NONE, REDUCE, SHORTESTPATH, SINGLE,

    Identifier, Parameter, Integer, Float, String,

    LeftParen, RightParen, LeftBracket, RightBracket, LeftBrace, RightBrace,
    PatternParen,         // a "(" with which a pattern of at least one relationship begins
    ComprehensionBracket, // the "[" of [x IN list WHERE … | …]
    PatternBracket,       // the "[" of [(a)-->(b) WHERE … | …]
    Comma, Dot, DotDot, Colon, Semicolon, Bar, Ampersand,
    Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, Matches,
    Plus, PlusEqual, Minus, Star, Slash, Percent, Caret
}

statement: (EXPLAIN | PROFILE)? (query | schemaCommand) Semicolon? EOF;

query: singleQuery (union singleQuery)*;

union: UNION (ALL | DISTINCT)?;

singleQuery: clause+;

clause
    : matchClause
    | unwindClause
    | withClause
    | returnClause
    | callClause
    | subqueryClause
    | createClause
    | mergeClause
    | setClause
    | removeClause
    | deleteClause
    | foreachClause
    ;

matchClause: OPTIONAL? MATCH pattern where?;

unwindClause: UNWIND expression AS name;

withClause: WITH projection where?;

returnClause: RETURN projection;

projection
    : DISTINCT? (Star (Comma item)* | item (Comma item)*) orderBy? (SKIP_ skip=expression)? (LIMIT limit=expression)?
    ;

item: expression (AS name)?;

orderBy: ORDER BY sortItem (Comma sortItem)*;

sortItem: expression (ASC | ASCENDING | DESC | DESCENDING)?;

callClause: CALL procedureName (LeftParen (expression (Comma expression)*)? RightParen)? yield?;

procedureName: name (Dot schemaName)*;

yield: YIELD (Star | yieldItem (Comma yieldItem)*) where?;

yieldItem: column=name (AS as=name)?;

subqueryClause: CALL LeftBrace query RightBrace;

createClause: CREATE pattern;

mergeClause: MERGE patternPart mergeAction*;

mergeAction: ON (MATCH | CREATE) setClause;

setClause: SET setItem (Comma setItem)*;

setItem: target=postfix ((Equal | PlusEqual) expression)?;

removeClause: REMOVE postfix (Comma postfix)*;

deleteClause: DETACH? DELETE expression (Comma expression)*;

foreachClause: FOREACH LeftParen name IN expression Bar clause+ RightParen;

where: WHERE expression;

/* Patterns */

pattern: patternPart (Comma patternPart)*;

patternPart: (name Equal)? (shortestPath | chain);

shortestPath: (SHORTESTPATH | ALLSHORTESTPATHS) LeftParen chain RightParen;

chain
    : node (relationship node)*
    | LeftParen chain RightParen
    ;

node: (LeftParen | PatternParen) filling RightParen;

filling: name? labels? properties? where?;

labels: Colon schemaName ((Colon | Ampersand) schemaName)*;

properties: mapLiteral | Parameter;

relationship: Less? Minus relationshipDetail? Minus Greater?;

relationshipDetail: LeftBracket name? relationshipTypes? length? properties? where? RightBracket;

relationshipTypes: Colon schemaName (Bar Colon? schemaName)*;

length: Star (low=Integer? DotDot high=Integer? | low=Integer)?;

/* Expressions */

expression
    : (Plus | Minus) expression                                                                          # sign
    | expression Caret expression                                                                        # binary
    | expression (Star | Slash | Percent) expression                                                     # binary
    | expression (Plus | Minus) expression                                                               # binary
    | expression (IN | CONTAINS | STARTS WITH | ENDS WITH | Matches) expression                          # binary
    | expression IS NOT? NULL                                                                            # nullTest
    | expression (Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual) expression               # comparison
    | NOT expression                                                                                     # not
    | expression AND expression                                                                          # binary
    | expression XOR expression                                                                          # binary
    | expression OR expression                                                                           # binary
    | postfix                                                                                            # operand
    ;

postfix: atom suffix*;

suffix
    : Dot schemaName
    | LeftBracket from=expression? (DotDot to=expression?)? RightBracket
    | LeftParen (Star | DISTINCT? (expression (Comma expression)*)?) RightParen
    | Colon schemaName
    ;

atom
    : (TRUE | FALSE | NULL | Integer | Float | String)
    | Parameter
    | caseExpression
    | listLiteral
    | listComprehension
    | patternComprehension
    | mapLiteral
    | subqueryExpression
    | quantifier
    | reduce
    | shortestPath
    | relationshipPattern
    | LeftParen expression RightParen
    | mapProjection
    | name
    ;

caseExpression: CASE subject=expression? caseAlternative+ (ELSE otherwise=expression)? END;

caseAlternative: WHEN condition=expression THEN result=expression;

listLiteral: LeftBracket (element (Comma element)*)? RightBracket;

element: expression;

listComprehension: ComprehensionBracket name IN list=expression where? (Bar result=expression)? RightBracket;

patternComprehension: PatternBracket (name Equal)? chain where? Bar expression RightBracket;

mapLiteral: LeftBrace (schemaName Colon expression (Comma schemaName Colon expression)*)? RightBrace;

mapProjection: name LeftBrace (mapProjectionItem (Comma mapProjectionItem)*)? RightBrace;

mapProjectionItem
    : Dot (Star | schemaName)
    | schemaName Colon expression
    | name
    ;

subqueryExpression: (EXISTS | COUNT) LeftBrace (query | pattern where?) RightBrace;

quantifier: (ALL | ANY | NONE | SINGLE) LeftParen name IN expression where? RightParen;

reduce
    : REDUCE LeftParen accumulator=name Equal initial=expression Comma variable=name IN list=expression
        Bar result=expression RightParen
    ;

relationshipPattern: PatternParen filling RightParen (relationship node)+;

/* Indexes and constraints */

schemaCommand
    : CREATE RANGE? INDEX name? (IF NOT EXISTS)? FOR chain ON LeftParen postfix (Comma postfix)* RightParen # createIndex
    | CREATE CONSTRAINT name? (IF NOT EXISTS)? FOR chain REQUIRE constrained IS requirement                 # createConstraint
    | DROP (INDEX | CONSTRAINT) name (IF EXISTS)?                                                           # drop
    | SHOW (INDEX | INDEXES | CONSTRAINT | CONSTRAINTS)                                                     # show
    ;

constrained
    : LeftParen postfix (Comma postfix)* RightParen
    | postfix
    ;

requirement: UNIQUE | NOT NULL | NODE KEY;

/* Names */

name: Identifier | softWord;

softWord
    : CALL | CONSTRAINT | CONSTRAINTS | COUNT | DROP | EXISTS | EXPLAIN | FOR | FOREACH | IF | INDEX | INDEXES | KEY
    | NODE | PROFILE | RANGE | REQUIRE | SHOW | UNIQUE | YIELD
    ;

// Labels, types, properties and keys may be any word.
schemaName: name | reservedWord;

reservedWord
    : ALL | AND | AS | ASC | ASCENDING | BY | CASE | CONTAINS | CREATE | DELETE | DESC | DESCENDING | DETACH
    | DISTINCT | ELSE | END | ENDS | FALSE | IN | IS | LIMIT | MATCH | MERGE | NOT | NULL | ON | OPTIONAL | OR | ORDER
    | REMOVE | RETURN | SET | SKIP_ | STARTS | THEN | TRUE | UNION | UNWIND | WHEN | WHERE | WITH | XOR
    ;
