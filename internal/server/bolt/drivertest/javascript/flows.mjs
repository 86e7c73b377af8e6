// The flows of a typical client, through Neo4j's JavaScript driver: node flows.mjs HOST:PORT
import assert from 'node:assert/strict'
import neo4j from 'neo4j-driver'

const address = process.argv[2]
const label = 'J' + process.pid

// shown is all of a value, with integers of either kind alike.
const shown = v => JSON.stringify(v, (_, v) => neo4j.isInt(v) || typeof v === 'number' ? String(v) : v)

const flows = {
  async routing () {
    for (const scheme of ['bolt', 'neo4j']) {
      const driver = neo4j.driver(`${scheme}://${address}`)
      await driver.verifyConnectivity()
      const { records } = await driver.executeQuery('RETURN $x AS x', { x: 'a' })
      assert.equal(records[0].get('x'), 'a')
      await driver.close()
    }
  },

  async types (driver) {
    const values = [
      null, true, false, neo4j.int(7), neo4j.int('-9223372036854775808'), 1.5, '', 'Größe 🌍', 'x'.repeat(70000),
      [], [neo4j.int(1), 'a', null, [true]], {}, { a: { b: [neo4j.int(1)] } },
      new neo4j.types.Date(2026, 2, 28), new neo4j.types.LocalTime(23, 59, 59, 999999999), new neo4j.types.Time(1, 2, 3, 4, 3600),
      new neo4j.types.LocalDateTime(1969, 12, 31, 23, 59, 59, 5),
      new neo4j.types.DateTime(2026, 7, 1, 12, 0, 0, 6, -5400),
      new neo4j.types.DateTime(2026, 7, 1, 12, 0, 0, 7, 7200, 'Europe/Berlin'),
      new neo4j.types.Duration(1, -2, 3, 4),
      new neo4j.types.Point(7203, 1.5, -2.5), new neo4j.types.Point(4326, 13.4, 52.5), new neo4j.types.Point(9157, 1.5, 2.5, 3.5)
    ]
    const session = driver.session()
    for (const sent of values) {
      const { records } = await session.run('RETURN $x AS x', { x: sent })
      assert.equal(shown(records[0].get('x')), shown(sent))
    }
    await session.close()
  },

  async entities (driver) {
    const session = driver.session()
    const { records, summary } = await session.run('CREATE p = (a:A:B {n: 1})-[r:T {w: 2.5}]->(b) RETURN a, r, p')
    const [a, r, p] = ['a', 'r', 'p'].map(name => records[0].get(name))
    assert.deepEqual(a.labels, ['A', 'B'])
    assert.equal(a.properties.n.toNumber(), 1)
    assert.equal(r.type, 'T')
    assert.equal(r.properties.w, 2.5)
    assert.equal(r.startNodeElementId, a.elementId)
    assert.equal(p.segments.length, 1)
    assert.equal(p.segments[0].start.elementId, a.elementId)
    assert.equal(summary.counters.updates().nodesCreated, 2)
    assert.equal(summary.queryType, 'rw')
    assert.equal(session.lastBookmarks().length, 1)
    await session.close()
  },

  async streaming (driver) {
    const session = driver.session()
    let next = 1
    for await (const record of session.run('UNWIND range(1, $n) AS i RETURN i', { n: neo4j.int(1000000) })) {
      if (record.get('i').low !== next++) assert.fail(`row ${next - 1} is ${record.get('i')}`)
    }
    assert.equal(next, 1000001)
    await session.close()
  },

  async leavingAStream (driver) {
    const session = driver.session()
    for await (const record of session.run('UNWIND range(1, $n) AS i RETURN i', { n: neo4j.int(1000000) })) {
      if (record.get('i').low === 5000) break
    }
    await session.close()
    assert.equal((await driver.executeQuery('RETURN $x AS x', { x: 1.5 })).records[0].get('x'), 1.5)
  },

  async twoResultsOfATransaction (driver) {
    const session = driver.session({ fetchSize: 10 })
    const tx = await session.beginTransaction()
    const results = [0, 1].map(() => tx.run('UNWIND range(1, $n) AS i RETURN i', { n: neo4j.int(100) })[Symbol.asyncIterator]())
    for (let i = 1; i <= 100; i++) {
      for (const result of results) assert.equal((await result.next()).value.get('i').toNumber(), i)
    }
    await tx.commit()
    await session.close()
  },

  async failure (driver) {
    const session = driver.session()
    for (let i = 0; i < 3; i++) {
      await assert.rejects(session.run('RETRUN 1'), { code: 'Neo.ClientError.Statement.SyntaxError' })
      assert.equal((await session.run('RETURN $x AS x', { x: true })).records[0].get('x'), true)
    }
    await session.close()
  },

  async retry (driver) {
    await driver.executeQuery(`CREATE (n:${label} {x: 0}) RETURN n`)
    const add = `MATCH (n:${label}) SET n.x = n.x + 1 RETURN n.x AS x`
    const session = driver.session()
    let tries = 0
    const x = await session.executeWrite(async tx => {
      if (++tries === 1) {
        await tx.run(`MATCH (n:${label}) RETURN n`)
        await driver.executeQuery(add)
      }
      return (await tx.run(add)).records[0].get('x').toNumber()
    })
    assert.deepEqual([x, tries], [2, 2])
    await session.close()
  },

  async sessions (driver) {
    await Promise.all(Array.from({ length: 32 }, async (_, i) => {
      const session = driver.session()
      for (let j = 0; j < 20; j++) {
        const got = await session.executeRead(async tx => (await tx.run('RETURN $x AS x', { x: `${i} ${j}` })).records[0].get('x'))
        assert.equal(got, `${i} ${j}`)
      }
      await session.close()
    }))
  }
}

const driver = neo4j.driver(`neo4j://${address}`)
for (const [name, flow] of Object.entries(flows)) {
  const start = Date.now()
  await flow(driver)
  console.log('ok', name, Date.now() - start, 'ms')
}
await driver.close()
