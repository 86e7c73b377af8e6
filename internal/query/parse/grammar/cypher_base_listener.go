// Code generated from Cypher.g4 by antlr-ng; DO NOT EDIT.

package grammar // Cypher
import "github.com/antlr4-go/antlr/v4"

// BaseCypherListener is a complete listener for a parse tree produced by Cypher.
type BaseCypherListener struct{}

var _ CypherListener = &BaseCypherListener{}

// VisitTerminal is called when a terminal node is visited.
func (s *BaseCypherListener) VisitTerminal(node antlr.TerminalNode) {}

// VisitErrorNode is called when an error node is visited.
func (s *BaseCypherListener) VisitErrorNode(node antlr.ErrorNode) {}

// EnterEveryRule is called when any rule is entered.
func (s *BaseCypherListener) EnterEveryRule(ctx antlr.ParserRuleContext) {}

// ExitEveryRule is called when any rule is exited.
func (s *BaseCypherListener) ExitEveryRule(ctx antlr.ParserRuleContext) {}

// EnterStatement is called when production statement is entered.
func (s *BaseCypherListener) EnterStatement(ctx *StatementContext) {}

// ExitStatement is called when production statement is exited.
func (s *BaseCypherListener) ExitStatement(ctx *StatementContext) {}

// EnterSetting is called when production setting is entered.
func (s *BaseCypherListener) EnterSetting(ctx *SettingContext) {}

// ExitSetting is called when production setting is exited.
func (s *BaseCypherListener) ExitSetting(ctx *SettingContext) {}

// EnterQuery is called when production query is entered.
func (s *BaseCypherListener) EnterQuery(ctx *QueryContext) {}

// ExitQuery is called when production query is exited.
func (s *BaseCypherListener) ExitQuery(ctx *QueryContext) {}

// EnterUnion is called when production union is entered.
func (s *BaseCypherListener) EnterUnion(ctx *UnionContext) {}

// ExitUnion is called when production union is exited.
func (s *BaseCypherListener) ExitUnion(ctx *UnionContext) {}

// EnterSingleQuery is called when production singleQuery is entered.
func (s *BaseCypherListener) EnterSingleQuery(ctx *SingleQueryContext) {}

// ExitSingleQuery is called when production singleQuery is exited.
func (s *BaseCypherListener) ExitSingleQuery(ctx *SingleQueryContext) {}

// EnterClause is called when production clause is entered.
func (s *BaseCypherListener) EnterClause(ctx *ClauseContext) {}

// ExitClause is called when production clause is exited.
func (s *BaseCypherListener) ExitClause(ctx *ClauseContext) {}

// EnterMatchClause is called when production matchClause is entered.
func (s *BaseCypherListener) EnterMatchClause(ctx *MatchClauseContext) {}

// ExitMatchClause is called when production matchClause is exited.
func (s *BaseCypherListener) ExitMatchClause(ctx *MatchClauseContext) {}

// EnterHint is called when production hint is entered.
func (s *BaseCypherListener) EnterHint(ctx *HintContext) {}

// ExitHint is called when production hint is exited.
func (s *BaseCypherListener) ExitHint(ctx *HintContext) {}

// EnterUnwindClause is called when production unwindClause is entered.
func (s *BaseCypherListener) EnterUnwindClause(ctx *UnwindClauseContext) {}

// ExitUnwindClause is called when production unwindClause is exited.
func (s *BaseCypherListener) ExitUnwindClause(ctx *UnwindClauseContext) {}

// EnterWithClause is called when production withClause is entered.
func (s *BaseCypherListener) EnterWithClause(ctx *WithClauseContext) {}

// ExitWithClause is called when production withClause is exited.
func (s *BaseCypherListener) ExitWithClause(ctx *WithClauseContext) {}

// EnterReturnClause is called when production returnClause is entered.
func (s *BaseCypherListener) EnterReturnClause(ctx *ReturnClauseContext) {}

// ExitReturnClause is called when production returnClause is exited.
func (s *BaseCypherListener) ExitReturnClause(ctx *ReturnClauseContext) {}

// EnterProjection is called when production projection is entered.
func (s *BaseCypherListener) EnterProjection(ctx *ProjectionContext) {}

// ExitProjection is called when production projection is exited.
func (s *BaseCypherListener) ExitProjection(ctx *ProjectionContext) {}

// EnterOrderClause is called when production orderClause is entered.
func (s *BaseCypherListener) EnterOrderClause(ctx *OrderClauseContext) {}

// ExitOrderClause is called when production orderClause is exited.
func (s *BaseCypherListener) ExitOrderClause(ctx *OrderClauseContext) {}

// EnterItem is called when production item is entered.
func (s *BaseCypherListener) EnterItem(ctx *ItemContext) {}

// ExitItem is called when production item is exited.
func (s *BaseCypherListener) ExitItem(ctx *ItemContext) {}

// EnterOrderBy is called when production orderBy is entered.
func (s *BaseCypherListener) EnterOrderBy(ctx *OrderByContext) {}

// ExitOrderBy is called when production orderBy is exited.
func (s *BaseCypherListener) ExitOrderBy(ctx *OrderByContext) {}

// EnterSortItem is called when production sortItem is entered.
func (s *BaseCypherListener) EnterSortItem(ctx *SortItemContext) {}

// ExitSortItem is called when production sortItem is exited.
func (s *BaseCypherListener) ExitSortItem(ctx *SortItemContext) {}

// EnterCallClause is called when production callClause is entered.
func (s *BaseCypherListener) EnterCallClause(ctx *CallClauseContext) {}

// ExitCallClause is called when production callClause is exited.
func (s *BaseCypherListener) ExitCallClause(ctx *CallClauseContext) {}

// EnterProcedureName is called when production procedureName is entered.
func (s *BaseCypherListener) EnterProcedureName(ctx *ProcedureNameContext) {}

// ExitProcedureName is called when production procedureName is exited.
func (s *BaseCypherListener) ExitProcedureName(ctx *ProcedureNameContext) {}

// EnterYield is called when production yield is entered.
func (s *BaseCypherListener) EnterYield(ctx *YieldContext) {}

// ExitYield is called when production yield is exited.
func (s *BaseCypherListener) ExitYield(ctx *YieldContext) {}

// EnterYieldItem is called when production yieldItem is entered.
func (s *BaseCypherListener) EnterYieldItem(ctx *YieldItemContext) {}

// ExitYieldItem is called when production yieldItem is exited.
func (s *BaseCypherListener) ExitYieldItem(ctx *YieldItemContext) {}

// EnterSubqueryClause is called when production subqueryClause is entered.
func (s *BaseCypherListener) EnterSubqueryClause(ctx *SubqueryClauseContext) {}

// ExitSubqueryClause is called when production subqueryClause is exited.
func (s *BaseCypherListener) ExitSubqueryClause(ctx *SubqueryClauseContext) {}

// EnterImported is called when production imported is entered.
func (s *BaseCypherListener) EnterImported(ctx *ImportedContext) {}

// ExitImported is called when production imported is exited.
func (s *BaseCypherListener) ExitImported(ctx *ImportedContext) {}

// EnterTransactions is called when production transactions is entered.
func (s *BaseCypherListener) EnterTransactions(ctx *TransactionsContext) {}

// ExitTransactions is called when production transactions is exited.
func (s *BaseCypherListener) ExitTransactions(ctx *TransactionsContext) {}

// EnterLoadClause is called when production loadClause is entered.
func (s *BaseCypherListener) EnterLoadClause(ctx *LoadClauseContext) {}

// ExitLoadClause is called when production loadClause is exited.
func (s *BaseCypherListener) ExitLoadClause(ctx *LoadClauseContext) {}

// EnterCreateClause is called when production createClause is entered.
func (s *BaseCypherListener) EnterCreateClause(ctx *CreateClauseContext) {}

// ExitCreateClause is called when production createClause is exited.
func (s *BaseCypherListener) ExitCreateClause(ctx *CreateClauseContext) {}

// EnterMergeClause is called when production mergeClause is entered.
func (s *BaseCypherListener) EnterMergeClause(ctx *MergeClauseContext) {}

// ExitMergeClause is called when production mergeClause is exited.
func (s *BaseCypherListener) ExitMergeClause(ctx *MergeClauseContext) {}

// EnterMergeAction is called when production mergeAction is entered.
func (s *BaseCypherListener) EnterMergeAction(ctx *MergeActionContext) {}

// ExitMergeAction is called when production mergeAction is exited.
func (s *BaseCypherListener) ExitMergeAction(ctx *MergeActionContext) {}

// EnterSetClause is called when production setClause is entered.
func (s *BaseCypherListener) EnterSetClause(ctx *SetClauseContext) {}

// ExitSetClause is called when production setClause is exited.
func (s *BaseCypherListener) ExitSetClause(ctx *SetClauseContext) {}

// EnterSetItem is called when production setItem is entered.
func (s *BaseCypherListener) EnterSetItem(ctx *SetItemContext) {}

// ExitSetItem is called when production setItem is exited.
func (s *BaseCypherListener) ExitSetItem(ctx *SetItemContext) {}

// EnterRemoveClause is called when production removeClause is entered.
func (s *BaseCypherListener) EnterRemoveClause(ctx *RemoveClauseContext) {}

// ExitRemoveClause is called when production removeClause is exited.
func (s *BaseCypherListener) ExitRemoveClause(ctx *RemoveClauseContext) {}

// EnterDeleteClause is called when production deleteClause is entered.
func (s *BaseCypherListener) EnterDeleteClause(ctx *DeleteClauseContext) {}

// ExitDeleteClause is called when production deleteClause is exited.
func (s *BaseCypherListener) ExitDeleteClause(ctx *DeleteClauseContext) {}

// EnterForeachClause is called when production foreachClause is entered.
func (s *BaseCypherListener) EnterForeachClause(ctx *ForeachClauseContext) {}

// ExitForeachClause is called when production foreachClause is exited.
func (s *BaseCypherListener) ExitForeachClause(ctx *ForeachClauseContext) {}

// EnterWhere is called when production where is entered.
func (s *BaseCypherListener) EnterWhere(ctx *WhereContext) {}

// ExitWhere is called when production where is exited.
func (s *BaseCypherListener) ExitWhere(ctx *WhereContext) {}

// EnterPattern is called when production pattern is entered.
func (s *BaseCypherListener) EnterPattern(ctx *PatternContext) {}

// ExitPattern is called when production pattern is exited.
func (s *BaseCypherListener) ExitPattern(ctx *PatternContext) {}

// EnterPatternPart is called when production patternPart is entered.
func (s *BaseCypherListener) EnterPatternPart(ctx *PatternPartContext) {}

// ExitPatternPart is called when production patternPart is exited.
func (s *BaseCypherListener) ExitPatternPart(ctx *PatternPartContext) {}

// EnterSelector is called when production selector is entered.
func (s *BaseCypherListener) EnterSelector(ctx *SelectorContext) {}

// ExitSelector is called when production selector is exited.
func (s *BaseCypherListener) ExitSelector(ctx *SelectorContext) {}

// EnterShortestPath is called when production shortestPath is entered.
func (s *BaseCypherListener) EnterShortestPath(ctx *ShortestPathContext) {}

// ExitShortestPath is called when production shortestPath is exited.
func (s *BaseCypherListener) ExitShortestPath(ctx *ShortestPathContext) {}

// EnterChain is called when production chain is entered.
func (s *BaseCypherListener) EnterChain(ctx *ChainContext) {}

// ExitChain is called when production chain is exited.
func (s *BaseCypherListener) ExitChain(ctx *ChainContext) {}

// EnterNode is called when production node is entered.
func (s *BaseCypherListener) EnterNode(ctx *NodeContext) {}

// ExitNode is called when production node is exited.
func (s *BaseCypherListener) ExitNode(ctx *NodeContext) {}

// EnterFilling is called when production filling is entered.
func (s *BaseCypherListener) EnterFilling(ctx *FillingContext) {}

// ExitFilling is called when production filling is exited.
func (s *BaseCypherListener) ExitFilling(ctx *FillingContext) {}

// EnterLabels is called when production labels is entered.
func (s *BaseCypherListener) EnterLabels(ctx *LabelsContext) {}

// ExitLabels is called when production labels is exited.
func (s *BaseCypherListener) ExitLabels(ctx *LabelsContext) {}

// EnterNotLabel is called when production notLabel is entered.
func (s *BaseCypherListener) EnterNotLabel(ctx *NotLabelContext) {}

// ExitNotLabel is called when production notLabel is exited.
func (s *BaseCypherListener) ExitNotLabel(ctx *NotLabelContext) {}

// EnterInnerLabel is called when production innerLabel is entered.
func (s *BaseCypherListener) EnterInnerLabel(ctx *InnerLabelContext) {}

// ExitInnerLabel is called when production innerLabel is exited.
func (s *BaseCypherListener) ExitInnerLabel(ctx *InnerLabelContext) {}

// EnterLabel is called when production label is entered.
func (s *BaseCypherListener) EnterLabel(ctx *LabelContext) {}

// ExitLabel is called when production label is exited.
func (s *BaseCypherListener) ExitLabel(ctx *LabelContext) {}

// EnterBothLabels is called when production bothLabels is entered.
func (s *BaseCypherListener) EnterBothLabels(ctx *BothLabelsContext) {}

// ExitBothLabels is called when production bothLabels is exited.
func (s *BaseCypherListener) ExitBothLabels(ctx *BothLabelsContext) {}

// EnterEitherLabel is called when production eitherLabel is entered.
func (s *BaseCypherListener) EnterEitherLabel(ctx *EitherLabelContext) {}

// ExitEitherLabel is called when production eitherLabel is exited.
func (s *BaseCypherListener) ExitEitherLabel(ctx *EitherLabelContext) {}

// EnterProperties is called when production properties is entered.
func (s *BaseCypherListener) EnterProperties(ctx *PropertiesContext) {}

// ExitProperties is called when production properties is exited.
func (s *BaseCypherListener) ExitProperties(ctx *PropertiesContext) {}

// EnterRelationship is called when production relationship is entered.
func (s *BaseCypherListener) EnterRelationship(ctx *RelationshipContext) {}

// ExitRelationship is called when production relationship is exited.
func (s *BaseCypherListener) ExitRelationship(ctx *RelationshipContext) {}

// EnterRepetition is called when production repetition is entered.
func (s *BaseCypherListener) EnterRepetition(ctx *RepetitionContext) {}

// ExitRepetition is called when production repetition is exited.
func (s *BaseCypherListener) ExitRepetition(ctx *RepetitionContext) {}

// EnterRelationshipDetail is called when production relationshipDetail is entered.
func (s *BaseCypherListener) EnterRelationshipDetail(ctx *RelationshipDetailContext) {}

// ExitRelationshipDetail is called when production relationshipDetail is exited.
func (s *BaseCypherListener) ExitRelationshipDetail(ctx *RelationshipDetailContext) {}

// EnterLength is called when production length is entered.
func (s *BaseCypherListener) EnterLength(ctx *LengthContext) {}

// ExitLength is called when production length is exited.
func (s *BaseCypherListener) ExitLength(ctx *LengthContext) {}

// EnterSign is called when production sign is entered.
func (s *BaseCypherListener) EnterSign(ctx *SignContext) {}

// ExitSign is called when production sign is exited.
func (s *BaseCypherListener) ExitSign(ctx *SignContext) {}

// EnterNot is called when production not is entered.
func (s *BaseCypherListener) EnterNot(ctx *NotContext) {}

// ExitNot is called when production not is exited.
func (s *BaseCypherListener) ExitNot(ctx *NotContext) {}

// EnterOperand is called when production operand is entered.
func (s *BaseCypherListener) EnterOperand(ctx *OperandContext) {}

// ExitOperand is called when production operand is exited.
func (s *BaseCypherListener) ExitOperand(ctx *OperandContext) {}

// EnterBinary is called when production binary is entered.
func (s *BaseCypherListener) EnterBinary(ctx *BinaryContext) {}

// ExitBinary is called when production binary is exited.
func (s *BaseCypherListener) ExitBinary(ctx *BinaryContext) {}

// EnterComparison is called when production comparison is entered.
func (s *BaseCypherListener) EnterComparison(ctx *ComparisonContext) {}

// ExitComparison is called when production comparison is exited.
func (s *BaseCypherListener) ExitComparison(ctx *ComparisonContext) {}

// EnterNullTest is called when production nullTest is entered.
func (s *BaseCypherListener) EnterNullTest(ctx *NullTestContext) {}

// ExitNullTest is called when production nullTest is exited.
func (s *BaseCypherListener) ExitNullTest(ctx *NullTestContext) {}

// EnterPostfix is called when production postfix is entered.
func (s *BaseCypherListener) EnterPostfix(ctx *PostfixContext) {}

// ExitPostfix is called when production postfix is exited.
func (s *BaseCypherListener) ExitPostfix(ctx *PostfixContext) {}

// EnterSuffix is called when production suffix is entered.
func (s *BaseCypherListener) EnterSuffix(ctx *SuffixContext) {}

// ExitSuffix is called when production suffix is exited.
func (s *BaseCypherListener) ExitSuffix(ctx *SuffixContext) {}

// EnterAtom is called when production atom is entered.
func (s *BaseCypherListener) EnterAtom(ctx *AtomContext) {}

// ExitAtom is called when production atom is exited.
func (s *BaseCypherListener) ExitAtom(ctx *AtomContext) {}

// EnterCaseExpression is called when production caseExpression is entered.
func (s *BaseCypherListener) EnterCaseExpression(ctx *CaseExpressionContext) {}

// ExitCaseExpression is called when production caseExpression is exited.
func (s *BaseCypherListener) ExitCaseExpression(ctx *CaseExpressionContext) {}

// EnterCaseAlternative is called when production caseAlternative is entered.
func (s *BaseCypherListener) EnterCaseAlternative(ctx *CaseAlternativeContext) {}

// ExitCaseAlternative is called when production caseAlternative is exited.
func (s *BaseCypherListener) ExitCaseAlternative(ctx *CaseAlternativeContext) {}

// EnterListLiteral is called when production listLiteral is entered.
func (s *BaseCypherListener) EnterListLiteral(ctx *ListLiteralContext) {}

// ExitListLiteral is called when production listLiteral is exited.
func (s *BaseCypherListener) ExitListLiteral(ctx *ListLiteralContext) {}

// EnterElement is called when production element is entered.
func (s *BaseCypherListener) EnterElement(ctx *ElementContext) {}

// ExitElement is called when production element is exited.
func (s *BaseCypherListener) ExitElement(ctx *ElementContext) {}

// EnterListComprehension is called when production listComprehension is entered.
func (s *BaseCypherListener) EnterListComprehension(ctx *ListComprehensionContext) {}

// ExitListComprehension is called when production listComprehension is exited.
func (s *BaseCypherListener) ExitListComprehension(ctx *ListComprehensionContext) {}

// EnterPatternComprehension is called when production patternComprehension is entered.
func (s *BaseCypherListener) EnterPatternComprehension(ctx *PatternComprehensionContext) {}

// ExitPatternComprehension is called when production patternComprehension is exited.
func (s *BaseCypherListener) ExitPatternComprehension(ctx *PatternComprehensionContext) {}

// EnterMapLiteral is called when production mapLiteral is entered.
func (s *BaseCypherListener) EnterMapLiteral(ctx *MapLiteralContext) {}

// ExitMapLiteral is called when production mapLiteral is exited.
func (s *BaseCypherListener) ExitMapLiteral(ctx *MapLiteralContext) {}

// EnterMapProjection is called when production mapProjection is entered.
func (s *BaseCypherListener) EnterMapProjection(ctx *MapProjectionContext) {}

// ExitMapProjection is called when production mapProjection is exited.
func (s *BaseCypherListener) ExitMapProjection(ctx *MapProjectionContext) {}

// EnterMapProjectionItem is called when production mapProjectionItem is entered.
func (s *BaseCypherListener) EnterMapProjectionItem(ctx *MapProjectionItemContext) {}

// ExitMapProjectionItem is called when production mapProjectionItem is exited.
func (s *BaseCypherListener) ExitMapProjectionItem(ctx *MapProjectionItemContext) {}

// EnterSubqueryExpression is called when production subqueryExpression is entered.
func (s *BaseCypherListener) EnterSubqueryExpression(ctx *SubqueryExpressionContext) {}

// ExitSubqueryExpression is called when production subqueryExpression is exited.
func (s *BaseCypherListener) ExitSubqueryExpression(ctx *SubqueryExpressionContext) {}

// EnterQuantifier is called when production quantifier is entered.
func (s *BaseCypherListener) EnterQuantifier(ctx *QuantifierContext) {}

// ExitQuantifier is called when production quantifier is exited.
func (s *BaseCypherListener) ExitQuantifier(ctx *QuantifierContext) {}

// EnterReduce is called when production reduce is entered.
func (s *BaseCypherListener) EnterReduce(ctx *ReduceContext) {}

// ExitReduce is called when production reduce is exited.
func (s *BaseCypherListener) ExitReduce(ctx *ReduceContext) {}

// EnterRelationshipPattern is called when production relationshipPattern is entered.
func (s *BaseCypherListener) EnterRelationshipPattern(ctx *RelationshipPatternContext) {}

// ExitRelationshipPattern is called when production relationshipPattern is exited.
func (s *BaseCypherListener) ExitRelationshipPattern(ctx *RelationshipPatternContext) {}

// EnterListing is called when production listing is entered.
func (s *BaseCypherListener) EnterListing(ctx *ListingContext) {}

// ExitListing is called when production listing is exited.
func (s *BaseCypherListener) ExitListing(ctx *ListingContext) {}

// EnterListed is called when production listed is entered.
func (s *BaseCypherListener) EnterListed(ctx *ListedContext) {}

// ExitListed is called when production listed is exited.
func (s *BaseCypherListener) ExitListed(ctx *ListedContext) {}

// EnterListedColumns is called when production listedColumns is entered.
func (s *BaseCypherListener) EnterListedColumns(ctx *ListedColumnsContext) {}

// ExitListedColumns is called when production listedColumns is exited.
func (s *BaseCypherListener) ExitListedColumns(ctx *ListedColumnsContext) {}

// EnterCreateIndex is called when production createIndex is entered.
func (s *BaseCypherListener) EnterCreateIndex(ctx *CreateIndexContext) {}

// ExitCreateIndex is called when production createIndex is exited.
func (s *BaseCypherListener) ExitCreateIndex(ctx *CreateIndexContext) {}

// EnterCreateIndexOn is called when production createIndexOn is entered.
func (s *BaseCypherListener) EnterCreateIndexOn(ctx *CreateIndexOnContext) {}

// ExitCreateIndexOn is called when production createIndexOn is exited.
func (s *BaseCypherListener) ExitCreateIndexOn(ctx *CreateIndexOnContext) {}

// EnterCreateConstraint is called when production createConstraint is entered.
func (s *BaseCypherListener) EnterCreateConstraint(ctx *CreateConstraintContext) {}

// ExitCreateConstraint is called when production createConstraint is exited.
func (s *BaseCypherListener) ExitCreateConstraint(ctx *CreateConstraintContext) {}

// EnterDrop is called when production drop is entered.
func (s *BaseCypherListener) EnterDrop(ctx *DropContext) {}

// ExitDrop is called when production drop is exited.
func (s *BaseCypherListener) ExitDrop(ctx *DropContext) {}

// EnterShow is called when production show is entered.
func (s *BaseCypherListener) EnterShow(ctx *ShowContext) {}

// ExitShow is called when production show is exited.
func (s *BaseCypherListener) ExitShow(ctx *ShowContext) {}

// EnterConstrained is called when production constrained is entered.
func (s *BaseCypherListener) EnterConstrained(ctx *ConstrainedContext) {}

// ExitConstrained is called when production constrained is exited.
func (s *BaseCypherListener) ExitConstrained(ctx *ConstrainedContext) {}

// EnterRequirement is called when production requirement is entered.
func (s *BaseCypherListener) EnterRequirement(ctx *RequirementContext) {}

// ExitRequirement is called when production requirement is exited.
func (s *BaseCypherListener) ExitRequirement(ctx *RequirementContext) {}

// EnterName is called when production name is entered.
func (s *BaseCypherListener) EnterName(ctx *NameContext) {}

// ExitName is called when production name is exited.
func (s *BaseCypherListener) ExitName(ctx *NameContext) {}

// EnterSoftWord is called when production softWord is entered.
func (s *BaseCypherListener) EnterSoftWord(ctx *SoftWordContext) {}

// ExitSoftWord is called when production softWord is exited.
func (s *BaseCypherListener) ExitSoftWord(ctx *SoftWordContext) {}

// EnterSchemaName is called when production schemaName is entered.
func (s *BaseCypherListener) EnterSchemaName(ctx *SchemaNameContext) {}

// ExitSchemaName is called when production schemaName is exited.
func (s *BaseCypherListener) ExitSchemaName(ctx *SchemaNameContext) {}

// EnterReservedWord is called when production reservedWord is entered.
func (s *BaseCypherListener) EnterReservedWord(ctx *ReservedWordContext) {}

// ExitReservedWord is called when production reservedWord is exited.
func (s *BaseCypherListener) ExitReservedWord(ctx *ReservedWordContext) {}
