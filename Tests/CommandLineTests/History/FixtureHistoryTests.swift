import CoreData
import TestBasics
import Testing

/// The history that Apple's framework wrote in the store of a phone's screen time.
@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct FixtureHistoryTests {
    private static let path = "stores/plaso-testdata/test_data/ios/RMAdminStore-Local.sqlite"

    @Test("every transaction and change of a store of Apple's is printed, and the store stays as it was (TOOL-16)")
    func everyTransactionIsPrinted() throws {
        let store = try Fixtures.copyOfStore(Self.path)
        defer { try? FileManager.default.removeItem(at: store.deletingLastPathComponent()) }
        let before = try FolderState(around: store)
        let outcome = try Tool.run("history", store.path, "--format", "json")
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        let transactions: [[String: Any]] = try outcome.json()
        #expect(transactions.compactMap { $0["id"] as? Int } == Array(101...1039))
        let changes = transactions.flatMap { $0["changes"] as? [[String: Any]] ?? [] }
        let counts = Dictionary(grouping: changes) { $0["type"] as? String ?? "" }.mapValues(\.count)
        #expect(counts == ["insert": 9_897, "update": 2_816, "delete": 7_216])
        #expect(changes.allSatisfy { $0["objectID"] is String && $0["entity"] is String })
        for change in changes {
            let hasProperties = (change["updatedProperties"] as? [Any])?.isEmpty == false
            #expect(hasProperties == (change["type"] as? String == "update"))
        }
        let authored: [[String: Any]] = try Tool.run(
            "history", store.path, "--author", "STUnique", "--format", "json"
        ).json()
        #expect(authored.compactMap { $0["id"] as? Int } == [667, 790])
        #expect(try Tool.run("history", store.path).output.split(separator: "\n").count == 941)
        let inspected = try Tool.run("inspect", store.path).output
        #expect(inspected.contains("\nhistory    on, 939 transactions: 101 (2021-01-20T13:43:50.919846Z) to 1039 ("))
        #expect(try FolderState(around: store) == before)
    }

    @Test func editGoesOnWhereApplesFrameworkLeftOff() throws {
        let store = try Fixtures.copyOfStore(Self.path)
        defer { try? FileManager.default.removeItem(at: store.deletingLastPathComponent()) }
        let edit = try Tool.run("set", store.path, "CoreDevice/p1", "name=Zed")
        #expect(edit.code == 0 && edit.errors == "", "\(edit.errors)")
        let last: [[String: Any]] = try Tool.run("history", store.path, "--limit", "1", "--format", "json").json()
        #expect(last.count == 1 && last[0]["id"] as? Int == 1040 && last[0]["author"] as? String == "coredata")
        let change = try #require((last[0]["changes"] as? [[String: Any]])?.first)
        #expect(
            change["updatedProperties"] as? [String] == ["name"] && change["objectID"] as? String == "CoreDevice/p1")
        #expect(try Tool.run("history", store.path, "--purge", "1000").output == "deleted 899 transactions\n")
    }
}
