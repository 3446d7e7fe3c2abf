import CoreData
import StoreContract
import Testing

@testable import ConflicterSample

@Suite struct ConflicterTests {
    private static func stack(_ kind: StoreKind) throws -> Stack { try Stack(SongModel.load(), kind: kind) }

    @Test("the four policies give the table's columns (SAMPLE-10)", arguments: StoreKind.all)
    func fourPoliciesGiveTablesColumns(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let columns = try PolicyReport(coordinator: stack.coordinator).columns()
        #expect(
            columns == [
                ["Europe Endless", "Bacalao", "8-Bit Operators", "Electronica"],
                ["Europe Endless", "Bacalao", "Trans-Europe Express", "Electronica"],
                ["Europe Endless", "Kraftwerk", "Trans-Europe Express", "Electronica"],
                ["Metal on Metal", "Bacalao", "8-Bit Operators", "Electronica"],
            ])
    }

    @Test("resolved by hand, the main title stays (SAMPLE-10, CTX-26)", arguments: StoreKind.all)
    func byHand(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let conflict = try Conflict(in: stack.coordinator)
        #expect(try conflict.refusal().count == 1)
        let values = try conflict.resolvedByHand(keeping: ["title"])
        #expect(values == ["Europe Endless", "Bacalao", "8-Bit Operators", "Electronica"])
    }

    @Test("the default policy's refusal names objects deleted by another context (SAMPLE-10)", arguments: StoreKind.all)
    func defaultPolicysRefusalNamesDeletedObjects(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let conflict = try Conflict(in: stack.coordinator)
        let changed = try #require(try conflict.refusal().first)
        #expect(!changed.isDeleted && !changed.isTemporary && changed.newVersion == changed.oldVersion + 1)
        #expect(changed.changes == SongModel.mainChanges)
        try conflict.deleteInBackground()
        #expect(try conflict.refusal().map(\.isDeleted) == [true])
    }

    @Test("the report has refusals, table and the resolution by hand (SAMPLE-10)", arguments: StoreKind.all)
    func reportHasRefusalsTableAndResolutionByHand(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let lines = try PolicyReport(coordinator: stack.coordinator).lines()
        #expect(lines.count == 10 && lines[0].hasPrefix("refused: Song/p"))
        #expect(lines[0].contains(", version 1 to 2: album (both), artist (store), title (context); wanted: album = "))
        #expect(lines[1].contains(", deleted in the store; wanted: album = Trans-Europe Express, title = "))
        #expect(lines[3].hasPrefix("property") && lines[3].hasSuffix("Rollback"))
        #expect(lines[9] == "by hand: Europe Endless, Bacalao, 8-Bit Operators, Electronica")
    }
}
