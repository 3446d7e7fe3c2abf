import CoreData
import StoreContract
import Testing

@Suite struct FetchedPropertyStatementTests {
    @Test("no statement is sent until it is read, and one when it is; a live one sends one each time (FET-21)")
    func statementsOfReading() throws {
        let live = SuperDB.fetched(
            "elders", predicate: "$FETCH_SOURCE.birthDate &gt; birthDate", userInfo: ["Live": "YES"])
        let stack = try Stack(try SuperDB.model(live))
        SuperDB.fill(stack.context)
        try stack.context.save()
        let fresh = try stack.reopened()
        try fresh.expectStatements(1) { _ = try fresh.context.all("Hero") }
        let hero = try #require(try fresh.context.all("Hero", NSPredicate(format: "name == 'Cinder'")).first)
        fresh.expectStatements(1) { #expect((hero.value(forKey: "olderHeroes") as? [NSManagedObject])?.count == 3) }
        fresh.expectStatements(0) { #expect((hero.value(forKey: "olderHeroes") as? [NSManagedObject])?.count == 3) }
        fresh.expectStatements(2) { for _ in 1...2 { _ = hero.value(forKey: "elders") } }
    }
}
