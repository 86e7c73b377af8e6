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
    ASSERT, BUILT, CALL, COLLECT, CONCURRENT, CONSTRAINT, CONSTRAINTS, COUNT, CSV, CURRENT, CYPHER, DEFINED, DROP,
    ERROR, EXECUTABLE, EXISTS, EXPLAIN, FIELDTERMINATOR, FOR, FOREACH, FROM, FUNCTION, FUNCTIONS, GROUP, GROUPS,
    HEADERS, IF, INDEX, INDEXES, INSERT, JOIN, KEY, LOAD, NODE, NODETACH, OF, PATH, PATHS, PROCEDURE, PROCEDURES,
    PROFILE, RANGE, REQUIRE, ROW, ROWS, SCAN, SEEK, SHORTEST, SHOW, TRANSACTION, TRANSACTIONS, UNIQUE, USER, USING,
    YIELD,
    // Words that mean something before a "(" only; else the scanner makes them identifiers. ANY also begins a selector.
    ALLSHORTESTPATHS, ANY, NONE, REDUCE, SHORTESTPATH, SINGLE,

    Identifier, Parameter, Integer, Float, String,

    LeftParen, RightParen, LeftBracket, RightBracket, LeftBrace, RightBrace,
    PatternParen,         // a "(" with which a pattern of at least one relationship begins
    ComprehensionBracket, // the "[" of [x IN list WHERE … | …]
    PatternBracket,       // the "[" of [(a)-->(b) WHERE … | …]
    LabelBar,             // the "|" between labels or types, and no other
    Comma, Dot, DotDot, Colon, Semicolon, Bar, DoubleBar, Ampersand, Exclamation,
    Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, Matches,
    Plus, PlusEqual, Minus, Star, Slash, Percent, Caret
}

statement: setting? (EXPLAIN | PROFILE)? setting? (query | listing | schemaCommand) Semicolon? EOF;

// What Neo4j is to run a statement with, which is nothing to us: CYPHER 5 runtime=parallel.
setting: CYPHER (Integer | Float)? (schemaName Equal schemaName)*;

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
    | loadClause
    | orderClause
    ;

matchClause: OPTIONAL? MATCH pattern hint* where?;

// Ways that the planner is to go, which it finds by itself.
hint: USING (INDEX SEEK? name Colon schemaName LeftParen schemaName (Comma schemaName)* RightParen
    | SCAN name Colon schemaName | JOIN ON name (Comma name)*);

unwindClause: UNWIND expression AS name;

withClause: WITH projection where?;

returnClause: RETURN projection;

projection
    : DISTINCT? (Star (Comma item)* | item (Comma item)*) orderBy? (SKIP_ skip=expression)? (LIMIT limit=expression)?
    ;

// ORDER BY, SKIP and LIMIT by themselves, as of WITH *.
orderClause: orderBy (SKIP_ skip=expression)? (LIMIT limit=expression)? | SKIP_ skip=expression (LIMIT limit=expression)?
    | LIMIT limit=expression;

item: expression (AS name)?;

orderBy: ORDER BY sortItem (Comma sortItem)*;

sortItem: expression (ASC | ASCENDING | DESC | DESCENDING)?;

callClause: CALL procedureName (LeftParen (expression (Comma expression)*)? RightParen)? yield?;

procedureName: name (Dot schemaName)*;

yield: YIELD (Star | yieldItem (Comma yieldItem)*) where?;

yieldItem: column=name (AS as=name)?;

subqueryClause: CALL imported? LeftBrace query RightBrace transactions?;

imported: LeftParen (Star | name (Comma name)*)? RightParen;

transactions: IN (Integer? CONCURRENT)? TRANSACTIONS (OF expression (ROW | ROWS))? (ON ERROR name)?;

loadClause: LOAD CSV (WITH HEADERS)? FROM expression AS name (FIELDTERMINATOR String)?;

createClause: (CREATE | INSERT) pattern;

mergeClause: MERGE patternPart mergeAction*;

mergeAction: ON (MATCH | CREATE) setClause;

setClause: SET setItem (Comma setItem)*;

setItem: target=postfix ((Equal | PlusEqual) expression)?;

removeClause: REMOVE postfix (Comma postfix)*;

deleteClause: (DETACH | NODETACH)? DELETE expression (Comma expression)*;

foreachClause: FOREACH LeftParen name IN expression Bar clause+ RightParen;

where: WHERE expression;

/* Patterns */

pattern: patternPart (Comma patternPart)*;

patternPart: (name Equal)? (shortestPath | selector? chain);

// Which of the paths between two nodes are meant.
selector
    : ANY (SHORTEST | Integer)? (PATH | PATHS)?
    | ALL SHORTEST? (PATH | PATHS)?
    | SHORTEST Integer? (PATH | PATHS)? (GROUP | GROUPS)?
    ;

shortestPath: (SHORTESTPATH | ALLSHORTESTPATHS) LeftParen chain RightParen;

chain
    : node (relationship node)*
    | LeftParen chain RightParen
    ;

node: (LeftParen | PatternParen) filling RightParen;

filling: name? labels? properties? where?;

labels: Colon labelExpression;

labelExpression
    : Exclamation labelExpression                           # notLabel
    | labelExpression (Ampersand | Colon) labelExpression   # bothLabels
    | labelExpression LabelBar Colon? labelExpression       # eitherLabel
    | LeftParen labelExpression RightParen                  # innerLabel
    | schemaName                                            # label
    ;

properties: mapLiteral | Parameter;

relationship: Less? Minus relationshipDetail? Minus Greater? repetition?;

repetition: Star | Plus | LeftBrace (low=Integer? Comma high=Integer? | low=Integer) RightBrace;

relationshipDetail: LeftBracket name? labels? length? properties? where? RightBracket;

length: Star (low=Integer? DotDot high=Integer? | low=Integer)?;

/* Expressions */

expression
    : (Plus | Minus) expression                                                                          # sign
    | expression Caret expression                                                                        # binary
    | expression (Star | Slash | Percent) expression                                                     # binary
    | expression (Plus | Minus | DoubleBar) expression                                                   # binary
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
    | labels
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

subqueryExpression: (EXISTS | COUNT | COLLECT) LeftBrace (query | pattern where?) RightBrace;

quantifier: (ALL | ANY | NONE | SINGLE) LeftParen name IN expression where? RightParen;

reduce
    : REDUCE LeftParen accumulator=name Equal initial=expression Comma variable=name IN list=expression
        Bar result=expression RightParen
    ;

relationshipPattern: PatternParen filling RightParen (relationship node)+;

/* What statements can call */

listing: SHOW listed (EXECUTABLE (BY CURRENT USER)?)? (where | listedColumns where? returnClause?)?;

listed: (ALL | BUILT IN | USER DEFINED)? (FUNCTION | FUNCTIONS) | PROCEDURE | PROCEDURES;

listedColumns
    : YIELD (Star | yieldItem (Comma yieldItem)*) orderBy? (SKIP_ skip=expression)? (LIMIT limit=expression)?
    ;

/* Indexes and constraints */

schemaCommand
    : CREATE RANGE? INDEX name? (IF NOT EXISTS)? FOR chain ON LeftParen postfix (Comma postfix)* RightParen # createIndex
    | CREATE INDEX ON Colon schemaName LeftParen schemaName (Comma schemaName)* RightParen                  # createIndexOn
    | CREATE CONSTRAINT name? (IF NOT EXISTS)? (FOR | ON) chain (REQUIRE | ASSERT) constrained IS requirement                 # createConstraint
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
    : ASSERT | BUILT | CALL | COLLECT | CONCURRENT | CONSTRAINT | CONSTRAINTS | COUNT | CSV | CURRENT | CYPHER
    | DEFINED | DROP | ERROR | EXECUTABLE | EXISTS | EXPLAIN | FIELDTERMINATOR | FOR | FOREACH | FROM | FUNCTION
    | FUNCTIONS | GROUP | GROUPS | HEADERS | IF | INDEX | INDEXES | INSERT | JOIN | KEY | LOAD | NODE | NODETACH | OF
    | PATH | PATHS | PROCEDURE | PROCEDURES | PROFILE | RANGE | REQUIRE | ROW | ROWS | SCAN | SEEK | SHORTEST | SHOW
    | TRANSACTION | TRANSACTIONS | UNIQUE | USER | USING | YIELD
    ;

// Labels, types, properties and keys may be any word.
schemaName: name | reservedWord;

reservedWord
    : ALL | AND | AS | ASC | ASCENDING | BY | CASE | CONTAINS | CREATE | DELETE | DESC | DESCENDING | DETACH
    | DISTINCT | ELSE | END | ENDS | FALSE | IN | IS | LIMIT | MATCH | MERGE | NOT | NULL | ON | OPTIONAL | OR | ORDER
    | REMOVE | RETURN | SET | SKIP_ | STARTS | THEN | TRUE | UNION | UNWIND | WHEN | WHERE | WITH | XOR
    ;
