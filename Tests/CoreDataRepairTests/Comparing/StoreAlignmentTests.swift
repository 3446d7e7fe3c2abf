import CoreData
import CoreDataExchange
import CoreDataRepair
import CoreDataWorkbench
import SQLiteKit
import Testing

@Suite("Making a store as another", .timeLimit(.minutes(5)))
struct StoreAlignmentTests {
    /// Makes B as A, and runs a block between the comparison and the first change; gives the number of changes.
    private func align(_ a: CheckScene, _ b: CheckScene, meanwhile: @escaping () throws -> Void = {}) throws -> Int {
        let left = try OpenStore(at: a.url, model: nil, for: .exporting)
        defer { left.close() }
        let right = try OpenStore(at: b.url, model: nil, for: .importing)
        defer { right.close() }
        let comparison = try StoreComparison(left, right, by: .usual)
        let done = try StoreAlignment(left, right: right, comparison: comparison, mode: .save).run(
            report: { _ in }, compared: { _ in try meanwhile() }, refused: { _ in })
        return done.report.total.updated + done.report.total.inserted + done.deleted
    }

    @Test("a store that was changed since it was compared is not written (TOOL-17)")
    func changedMeanwhile() throws {
        let (a, b) = (try CheckScene(), try CheckScene())
        let uids = try b.value("SELECT group_concat(hex(ZUID)) FROM ZPERSON")
        let error = #expect(throws: InspectionError.self) {
            _ = try align(a, b) { try b.tamper("UPDATE ZTEAM SET ZTITLE = 'New' WHERE Z_PK = 1") }
        }
        #expect(error?.cause.contains("another user or program has changed it") == true, "\(error?.cause ?? "")")
        #expect(error?.subject == b.url.path)
        let after = try b.value("SELECT group_concat(hex(ZUID)) FROM ZPERSON")
        #expect(after == uids)
        let title = try b.value("SELECT ZTITLE FROM ZTEAM WHERE Z_PK = 1")
        #expect(title == .text("New"))
        let count = try align(a, b)
        #expect(count > 0)
        let left = try align(a, b)
        #expect(left == 0)
        let sound = try b.check().isSound
        #expect(sound)
    }

    @Test("a store is made equal to one beside which a reader left a log (TOOL-17)")
    func logLeftByReaders() throws {
        let (a, b) = (try CheckScene(), try CheckScene())
        try b.tamper("UPDATE ZTEAM SET ZTITLE = 'New' WHERE Z_PK = 1")
        // Who opens a store to read while others may write leaves the files of the log.
        let reader = try OpenStore(at: a.url, model: nil, for: .browsing)
        try reader.forEachObject(ObjectQuery(reader.entity(named: "Team"))) { _ in }
        reader.close()
        #expect(FileManager.default.fileExists(atPath: a.url.path + "-shm"))
        let count = try align(a, b)
        #expect(count > 0)
        try b.tamper("UPDATE ZTEAM SET ZTITLE = 'Newer' WHERE Z_PK = 1")
        // Another process that writes A changes its files.
        let error = #expect(throws: InspectionError.self) {
            _ = try align(a, b) {
                try FileManager.default.setAttributes([.modificationDate: Date.now], ofItemAtPath: a.url.path)
            }
        }
        #expect(error?.subject == a.url.path)
        let title = try b.value("SELECT ZTITLE FROM ZTEAM WHERE Z_PK = 1")
        #expect(title == .text("Newer"))
    }
}
