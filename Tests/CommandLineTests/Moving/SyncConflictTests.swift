import CoreData
import TestBasics
import Testing

@Suite("sync conflicts", .timeLimit(.minutes(5)))
struct SyncConflictTests {
    @Test("a value that lost is listed, put back by its number, and travels (SYNC-08)")
    func lostValueIsPutBack() throws {
        let stores = try SyncedStores(2)
        defer { stores.remove() }
        let (one, two) = (stores.paths[0], stores.paths[1])
        try stores.run("set", one, "Hero/p1", "name=Bea")
        try stores.run("set", two, "Hero/p1", "name=Cleo")
        try stores.exchange()
        let conflicts: [[String: Any]] = try stores.run("sync", "conflicts", one, "--format", "json").json()
        let conflict = try #require(conflicts.first)
        #expect(conflicts.count == 1 && conflict["object"] as? String == "Hero/p1")
        #expect(conflict["attribute"] as? String == "name" && conflict["rule"] as? String == "last")
        let writes = try #require(conflict["writes"] as? [[String: Any]])
        #expect(writes.map { $0["value"] as? String } == ["Bea", "Cleo"])
        #expect(writes.map { $0["chosen"] as? Bool } == [false, true])
        // Clocks of sync count milliseconds, and so do the texts of their times.
        let dates = writes.compactMap { $0["date"] as? String }
        #expect(dates.count == 2 && dates.allSatisfy { $0.hasSuffix("Z") && $0.count == 24 }, "\(dates)")
        #expect(try stores.run("sync", "conflicts", two).output.contains("Bea   Cleo"))
        #expect(try stores.run("sync", "conflicts", two, "--limit", "0").output.contains("0 of 1"))

        for (number, code) in [("3", 2), ("0", 2), ("x", 2), ("2", 1)] {
            let outcome = try Tool.run("sync", "why", one, "Hero/p1", "name", "--restore", number)
            #expect(outcome.code == code, "\(number): \(outcome.errors)")
        }
        #expect(try stores.run("sync", "why", one, "Hero/p1", "name", "--restore", "1").output.contains("Bea"))
        try stores.exchange()
        for path in stores.paths {
            #expect(try stores.names(path) == ["Bea"])
            #expect(try stores.run("sync", "conflicts", path, "--format", "json").json() == [[String: String]]())
        }
    }

    @Test("a store that takes no part has no conflicts to list")
    func wrongUses() throws {
        let stores = try SyncedStores(1)
        defer { stores.remove() }
        #expect(try Tool.run("sync", "conflicts", stores.folder.path + "/none.sqlite").code == 1)
        #expect(try Tool.run("sync", "conflicts", stores.paths[0], "--limit", "x").code == 2)
        #expect(try stores.run("sync", "conflicts", stores.paths[0]).output.contains("no conflicts"))
    }
}
