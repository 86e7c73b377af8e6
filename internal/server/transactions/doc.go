// Package transactions knows what runs in a server, and ends it:
//
//	SHOW TRANSACTIONS
//	SHOW TRANSACTIONS 'air-transaction-7', $id YIELD transactionId, currentQuery AS text
//	TERMINATE TRANSACTIONS 'air-transaction-7'
//
// These are spelled as in Neo4j, without WHERE and RETURN. They need no graph, and are parsed
// here.
package transactions
