// Code generated from Cypher.g4 by antlr-ng; DO NOT EDIT.

package grammar // Cypher
import "github.com/antlr4-go/antlr/v4"

// CypherListener is a complete listener for a parse tree produced by Cypher.
type CypherListener interface {
	antlr.ParseTreeListener

	// EnterStatement is called when entering the statement production.
	EnterStatement(c *StatementContext)

	// EnterSetting is called when entering the setting production.
	EnterSetting(c *SettingContext)

	// EnterQuery is called when entering the query production.
	EnterQuery(c *QueryContext)

	// EnterUnion is called when entering the union production.
	EnterUnion(c *UnionContext)

	// EnterSingleQuery is called when entering the singleQuery production.
	EnterSingleQuery(c *SingleQueryContext)

	// EnterClause is called when entering the clause production.
	EnterClause(c *ClauseContext)

	// EnterMatchClause is called when entering the matchClause production.
	EnterMatchClause(c *MatchClauseContext)

	// EnterHint is called when entering the hint production.
	EnterHint(c *HintContext)

	// EnterUnwindClause is called when entering the unwindClause production.
	EnterUnwindClause(c *UnwindClauseContext)

	// EnterWithClause is called when entering the withClause production.
	EnterWithClause(c *WithClauseContext)

	// EnterReturnClause is called when entering the returnClause production.
	EnterReturnClause(c *ReturnClauseContext)

	// EnterProjection is called when entering the projection production.
	EnterProjection(c *ProjectionContext)

	// EnterOrderClause is called when entering the orderClause production.
	EnterOrderClause(c *OrderClauseContext)

	// EnterItem is called when entering the item production.
	EnterItem(c *ItemContext)

	// EnterOrderBy is called when entering the orderBy production.
	EnterOrderBy(c *OrderByContext)

	// EnterSortItem is called when entering the sortItem production.
	EnterSortItem(c *SortItemContext)

	// EnterCallClause is called when entering the callClause production.
	EnterCallClause(c *CallClauseContext)

	// EnterProcedureName is called when entering the procedureName production.
	EnterProcedureName(c *ProcedureNameContext)

	// EnterYield is called when entering the yield production.
	EnterYield(c *YieldContext)

	// EnterYieldItem is called when entering the yieldItem production.
	EnterYieldItem(c *YieldItemContext)

	// EnterSubqueryClause is called when entering the subqueryClause production.
	EnterSubqueryClause(c *SubqueryClauseContext)

	// EnterImported is called when entering the imported production.
	EnterImported(c *ImportedContext)

	// EnterTransactions is called when entering the transactions production.
	EnterTransactions(c *TransactionsContext)

	// EnterLoadClause is called when entering the loadClause production.
	EnterLoadClause(c *LoadClauseContext)

	// EnterCreateClause is called when entering the createClause production.
	EnterCreateClause(c *CreateClauseContext)

	// EnterMergeClause is called when entering the mergeClause production.
	EnterMergeClause(c *MergeClauseContext)

	// EnterMergeAction is called when entering the mergeAction production.
	EnterMergeAction(c *MergeActionContext)

	// EnterSetClause is called when entering the setClause production.
	EnterSetClause(c *SetClauseContext)

	// EnterSetItem is called when entering the setItem production.
	EnterSetItem(c *SetItemContext)

	// EnterRemoveClause is called when entering the removeClause production.
	EnterRemoveClause(c *RemoveClauseContext)

	// EnterDeleteClause is called when entering the deleteClause production.
	EnterDeleteClause(c *DeleteClauseContext)

	// EnterForeachClause is called when entering the foreachClause production.
	EnterForeachClause(c *ForeachClauseContext)

	// EnterWhere is called when entering the where production.
	EnterWhere(c *WhereContext)

	// EnterPattern is called when entering the pattern production.
	EnterPattern(c *PatternContext)

	// EnterPatternPart is called when entering the patternPart production.
	EnterPatternPart(c *PatternPartContext)

	// EnterSelector is called when entering the selector production.
	EnterSelector(c *SelectorContext)

	// EnterShortestPath is called when entering the shortestPath production.
	EnterShortestPath(c *ShortestPathContext)

	// EnterChain is called when entering the chain production.
	EnterChain(c *ChainContext)

	// EnterNode is called when entering the node production.
	EnterNode(c *NodeContext)

	// EnterFilling is called when entering the filling production.
	EnterFilling(c *FillingContext)

	// EnterLabels is called when entering the labels production.
	EnterLabels(c *LabelsContext)

	// EnterNotLabel is called when entering the notLabel production.
	EnterNotLabel(c *NotLabelContext)

	// EnterInnerLabel is called when entering the innerLabel production.
	EnterInnerLabel(c *InnerLabelContext)

	// EnterLabel is called when entering the label production.
	EnterLabel(c *LabelContext)

	// EnterBothLabels is called when entering the bothLabels production.
	EnterBothLabels(c *BothLabelsContext)

	// EnterEitherLabel is called when entering the eitherLabel production.
	EnterEitherLabel(c *EitherLabelContext)

	// EnterProperties is called when entering the properties production.
	EnterProperties(c *PropertiesContext)

	// EnterRelationship is called when entering the relationship production.
	EnterRelationship(c *RelationshipContext)

	// EnterRepetition is called when entering the repetition production.
	EnterRepetition(c *RepetitionContext)

	// EnterRelationshipDetail is called when entering the relationshipDetail production.
	EnterRelationshipDetail(c *RelationshipDetailContext)

	// EnterLength is called when entering the length production.
	EnterLength(c *LengthContext)

	// EnterSign is called when entering the sign production.
	EnterSign(c *SignContext)

	// EnterNot is called when entering the not production.
	EnterNot(c *NotContext)

	// EnterOperand is called when entering the operand production.
	EnterOperand(c *OperandContext)

	// EnterBinary is called when entering the binary production.
	EnterBinary(c *BinaryContext)

	// EnterComparison is called when entering the comparison production.
	EnterComparison(c *ComparisonContext)

	// EnterNullTest is called when entering the nullTest production.
	EnterNullTest(c *NullTestContext)

	// EnterPostfix is called when entering the postfix production.
	EnterPostfix(c *PostfixContext)

	// EnterSuffix is called when entering the suffix production.
	EnterSuffix(c *SuffixContext)

	// EnterAtom is called when entering the atom production.
	EnterAtom(c *AtomContext)

	// EnterCaseExpression is called when entering the caseExpression production.
	EnterCaseExpression(c *CaseExpressionContext)

	// EnterCaseAlternative is called when entering the caseAlternative production.
	EnterCaseAlternative(c *CaseAlternativeContext)

	// EnterListLiteral is called when entering the listLiteral production.
	EnterListLiteral(c *ListLiteralContext)

	// EnterElement is called when entering the element production.
	EnterElement(c *ElementContext)

	// EnterListComprehension is called when entering the listComprehension production.
	EnterListComprehension(c *ListComprehensionContext)

	// EnterPatternComprehension is called when entering the patternComprehension production.
	EnterPatternComprehension(c *PatternComprehensionContext)

	// EnterMapLiteral is called when entering the mapLiteral production.
	EnterMapLiteral(c *MapLiteralContext)

	// EnterMapProjection is called when entering the mapProjection production.
	EnterMapProjection(c *MapProjectionContext)

	// EnterMapProjectionItem is called when entering the mapProjectionItem production.
	EnterMapProjectionItem(c *MapProjectionItemContext)

	// EnterSubqueryExpression is called when entering the subqueryExpression production.
	EnterSubqueryExpression(c *SubqueryExpressionContext)

	// EnterQuantifier is called when entering the quantifier production.
	EnterQuantifier(c *QuantifierContext)

	// EnterReduce is called when entering the reduce production.
	EnterReduce(c *ReduceContext)

	// EnterRelationshipPattern is called when entering the relationshipPattern production.
	EnterRelationshipPattern(c *RelationshipPatternContext)

	// EnterListing is called when entering the listing production.
	EnterListing(c *ListingContext)

	// EnterListed is called when entering the listed production.
	EnterListed(c *ListedContext)

	// EnterListedColumns is called when entering the listedColumns production.
	EnterListedColumns(c *ListedColumnsContext)

	// EnterCreateIndex is called when entering the createIndex production.
	EnterCreateIndex(c *CreateIndexContext)

	// EnterCreateIndexOn is called when entering the createIndexOn production.
	EnterCreateIndexOn(c *CreateIndexOnContext)

	// EnterCreateConstraint is called when entering the createConstraint production.
	EnterCreateConstraint(c *CreateConstraintContext)

	// EnterDrop is called when entering the drop production.
	EnterDrop(c *DropContext)

	// EnterShow is called when entering the show production.
	EnterShow(c *ShowContext)

	// EnterConstrained is called when entering the constrained production.
	EnterConstrained(c *ConstrainedContext)

	// EnterRequirement is called when entering the requirement production.
	EnterRequirement(c *RequirementContext)

	// EnterName is called when entering the name production.
	EnterName(c *NameContext)

	// EnterSoftWord is called when entering the softWord production.
	EnterSoftWord(c *SoftWordContext)

	// EnterSchemaName is called when entering the schemaName production.
	EnterSchemaName(c *SchemaNameContext)

	// EnterReservedWord is called when entering the reservedWord production.
	EnterReservedWord(c *ReservedWordContext)

	// ExitStatement is called when exiting the statement production.
	ExitStatement(c *StatementContext)

	// ExitSetting is called when exiting the setting production.
	ExitSetting(c *SettingContext)

	// ExitQuery is called when exiting the query production.
	ExitQuery(c *QueryContext)

	// ExitUnion is called when exiting the union production.
	ExitUnion(c *UnionContext)

	// ExitSingleQuery is called when exiting the singleQuery production.
	ExitSingleQuery(c *SingleQueryContext)

	// ExitClause is called when exiting the clause production.
	ExitClause(c *ClauseContext)

	// ExitMatchClause is called when exiting the matchClause production.
	ExitMatchClause(c *MatchClauseContext)

	// ExitHint is called when exiting the hint production.
	ExitHint(c *HintContext)

	// ExitUnwindClause is called when exiting the unwindClause production.
	ExitUnwindClause(c *UnwindClauseContext)

	// ExitWithClause is called when exiting the withClause production.
	ExitWithClause(c *WithClauseContext)

	// ExitReturnClause is called when exiting the returnClause production.
	ExitReturnClause(c *ReturnClauseContext)

	// ExitProjection is called when exiting the projection production.
	ExitProjection(c *ProjectionContext)

	// ExitOrderClause is called when exiting the orderClause production.
	ExitOrderClause(c *OrderClauseContext)

	// ExitItem is called when exiting the item production.
	ExitItem(c *ItemContext)

	// ExitOrderBy is called when exiting the orderBy production.
	ExitOrderBy(c *OrderByContext)

	// ExitSortItem is called when exiting the sortItem production.
	ExitSortItem(c *SortItemContext)

	// ExitCallClause is called when exiting the callClause production.
	ExitCallClause(c *CallClauseContext)

	// ExitProcedureName is called when exiting the procedureName production.
	ExitProcedureName(c *ProcedureNameContext)

	// ExitYield is called when exiting the yield production.
	ExitYield(c *YieldContext)

	// ExitYieldItem is called when exiting the yieldItem production.
	ExitYieldItem(c *YieldItemContext)

	// ExitSubqueryClause is called when exiting the subqueryClause production.
	ExitSubqueryClause(c *SubqueryClauseContext)

	// ExitImported is called when exiting the imported production.
	ExitImported(c *ImportedContext)

	// ExitTransactions is called when exiting the transactions production.
	ExitTransactions(c *TransactionsContext)

	// ExitLoadClause is called when exiting the loadClause production.
	ExitLoadClause(c *LoadClauseContext)

	// ExitCreateClause is called when exiting the createClause production.
	ExitCreateClause(c *CreateClauseContext)

	// ExitMergeClause is called when exiting the mergeClause production.
	ExitMergeClause(c *MergeClauseContext)

	// ExitMergeAction is called when exiting the mergeAction production.
	ExitMergeAction(c *MergeActionContext)

	// ExitSetClause is called when exiting the setClause production.
	ExitSetClause(c *SetClauseContext)

	// ExitSetItem is called when exiting the setItem production.
	ExitSetItem(c *SetItemContext)

	// ExitRemoveClause is called when exiting the removeClause production.
	ExitRemoveClause(c *RemoveClauseContext)

	// ExitDeleteClause is called when exiting the deleteClause production.
	ExitDeleteClause(c *DeleteClauseContext)

	// ExitForeachClause is called when exiting the foreachClause production.
	ExitForeachClause(c *ForeachClauseContext)

	// ExitWhere is called when exiting the where production.
	ExitWhere(c *WhereContext)

	// ExitPattern is called when exiting the pattern production.
	ExitPattern(c *PatternContext)

	// ExitPatternPart is called when exiting the patternPart production.
	ExitPatternPart(c *PatternPartContext)

	// ExitSelector is called when exiting the selector production.
	ExitSelector(c *SelectorContext)

	// ExitShortestPath is called when exiting the shortestPath production.
	ExitShortestPath(c *ShortestPathContext)

	// ExitChain is called when exiting the chain production.
	ExitChain(c *ChainContext)

	// ExitNode is called when exiting the node production.
	ExitNode(c *NodeContext)

	// ExitFilling is called when exiting the filling production.
	ExitFilling(c *FillingContext)

	// ExitLabels is called when exiting the labels production.
	ExitLabels(c *LabelsContext)

	// ExitNotLabel is called when exiting the notLabel production.
	ExitNotLabel(c *NotLabelContext)

	// ExitInnerLabel is called when exiting the innerLabel production.
	ExitInnerLabel(c *InnerLabelContext)

	// ExitLabel is called when exiting the label production.
	ExitLabel(c *LabelContext)

	// ExitBothLabels is called when exiting the bothLabels production.
	ExitBothLabels(c *BothLabelsContext)

	// ExitEitherLabel is called when exiting the eitherLabel production.
	ExitEitherLabel(c *EitherLabelContext)

	// ExitProperties is called when exiting the properties production.
	ExitProperties(c *PropertiesContext)

	// ExitRelationship is called when exiting the relationship production.
	ExitRelationship(c *RelationshipContext)

	// ExitRepetition is called when exiting the repetition production.
	ExitRepetition(c *RepetitionContext)

	// ExitRelationshipDetail is called when exiting the relationshipDetail production.
	ExitRelationshipDetail(c *RelationshipDetailContext)

	// ExitLength is called when exiting the length production.
	ExitLength(c *LengthContext)

	// ExitSign is called when exiting the sign production.
	ExitSign(c *SignContext)

	// ExitNot is called when exiting the not production.
	ExitNot(c *NotContext)

	// ExitOperand is called when exiting the operand production.
	ExitOperand(c *OperandContext)

	// ExitBinary is called when exiting the binary production.
	ExitBinary(c *BinaryContext)

	// ExitComparison is called when exiting the comparison production.
	ExitComparison(c *ComparisonContext)

	// ExitNullTest is called when exiting the nullTest production.
	ExitNullTest(c *NullTestContext)

	// ExitPostfix is called when exiting the postfix production.
	ExitPostfix(c *PostfixContext)

	// ExitSuffix is called when exiting the suffix production.
	ExitSuffix(c *SuffixContext)

	// ExitAtom is called when exiting the atom production.
	ExitAtom(c *AtomContext)

	// ExitCaseExpression is called when exiting the caseExpression production.
	ExitCaseExpression(c *CaseExpressionContext)

	// ExitCaseAlternative is called when exiting the caseAlternative production.
	ExitCaseAlternative(c *CaseAlternativeContext)

	// ExitListLiteral is called when exiting the listLiteral production.
	ExitListLiteral(c *ListLiteralContext)

	// ExitElement is called when exiting the element production.
	ExitElement(c *ElementContext)

	// ExitListComprehension is called when exiting the listComprehension production.
	ExitListComprehension(c *ListComprehensionContext)

	// ExitPatternComprehension is called when exiting the patternComprehension production.
	ExitPatternComprehension(c *PatternComprehensionContext)

	// ExitMapLiteral is called when exiting the mapLiteral production.
	ExitMapLiteral(c *MapLiteralContext)

	// ExitMapProjection is called when exiting the mapProjection production.
	ExitMapProjection(c *MapProjectionContext)

	// ExitMapProjectionItem is called when exiting the mapProjectionItem production.
	ExitMapProjectionItem(c *MapProjectionItemContext)

	// ExitSubqueryExpression is called when exiting the subqueryExpression production.
	ExitSubqueryExpression(c *SubqueryExpressionContext)

	// ExitQuantifier is called when exiting the quantifier production.
	ExitQuantifier(c *QuantifierContext)

	// ExitReduce is called when exiting the reduce production.
	ExitReduce(c *ReduceContext)

	// ExitRelationshipPattern is called when exiting the relationshipPattern production.
	ExitRelationshipPattern(c *RelationshipPatternContext)

	// ExitListing is called when exiting the listing production.
	ExitListing(c *ListingContext)

	// ExitListed is called when exiting the listed production.
	ExitListed(c *ListedContext)

	// ExitListedColumns is called when exiting the listedColumns production.
	ExitListedColumns(c *ListedColumnsContext)

	// ExitCreateIndex is called when exiting the createIndex production.
	ExitCreateIndex(c *CreateIndexContext)

	// ExitCreateIndexOn is called when exiting the createIndexOn production.
	ExitCreateIndexOn(c *CreateIndexOnContext)

	// ExitCreateConstraint is called when exiting the createConstraint production.
	ExitCreateConstraint(c *CreateConstraintContext)

	// ExitDrop is called when exiting the drop production.
	ExitDrop(c *DropContext)

	// ExitShow is called when exiting the show production.
	ExitShow(c *ShowContext)

	// ExitConstrained is called when exiting the constrained production.
	ExitConstrained(c *ConstrainedContext)

	// ExitRequirement is called when exiting the requirement production.
	ExitRequirement(c *RequirementContext)

	// ExitName is called when exiting the name production.
	ExitName(c *NameContext)

	// ExitSoftWord is called when exiting the softWord production.
	ExitSoftWord(c *SoftWordContext)

	// ExitSchemaName is called when exiting the schemaName production.
	ExitSchemaName(c *SchemaNameContext)

	// ExitReservedWord is called when exiting the reservedWord production.
	ExitReservedWord(c *ReservedWordContext)
}
