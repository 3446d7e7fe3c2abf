import CoreData
import StoreContract
import Testing

@testable import ConflicterSample

@Suite struct ConflicterTests {
    private static func stack(_ kind: StoreKind) throws -> Stack { try Stack(SongModel.load(), kind: kind) }

    @Test("SAMPLE-10: the four policies give the table's columns", arguments: StoreKind.all)
    func columns(kind: StoreKind) throws {
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

    @Test("SAMPLE-10, CTX-26: resolved by hand, the main title stays", arguments: StoreKind.all)
    func byHand(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let conflict = try Conflict(in: stack.coordinator)
        #expect(try conflict.refusal().count == 1)
        let values = try conflict.resolvedByHand(keeping: ["title"])
        #expect(values == ["Europe Endless", "Bacalao", "8-Bit Operators", "Electronica"])
    }

    @Test("SAMPLE-10: the default policy's refusal tells of objects deleted elsewhere", arguments: StoreKind.all)
    func refusals(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let conflict = try Conflict(in: stack.coordinator)
        let changed = try #require(try conflict.refusal().first)
        #expect(!changed.isDeleted && !changed.isTemporary && changed.newVersion == changed.oldVersion + 1)
        #expect(changed.changes == SongModel.mainChanges)
        try conflict.deleteInBackground()
        #expect(try conflict.refusal().map(\.isDeleted) == [true])
    }

    @Test("SAMPLE-10: the report has refusals, table and the resolution by hand", arguments: StoreKind.all)
    func report(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let lines = try PolicyReport(coordinator: stack.coordinator).lines()
        #expect(lines.count == 10 && lines[0].hasPrefix("refused: Song p") && lines[1].contains("deleted elsewhere"))
        #expect(lines[3].hasPrefix("property") && lines[3].hasSuffix("Rollback"))
        #expect(lines[9] == "by hand: Europe Endless, Bacalao, 8-Bit Operators, Electronica")
    }
}
