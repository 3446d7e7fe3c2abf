import CoreData
import SQLiteKit

/// Repairs the findings of a check, in a copy of the store or in place after a backup.
///
/// An SQLite store is repaired in one transaction, an atomic store (XML, binary) by replacing its file. Invariants:
/// 1. If the transaction or the new file fails, the store is unchanged. The source of a copy is never changed.
/// 2. Every repaired finding is reported, and the values that it removes are in the backup or the source.
package struct StoreRepair {
    package let check: StoreCheck
    /// Where to create the copy that is repaired; nil to repair the store itself after a backup.
    package var copy: URL?

    package init(_ check: StoreCheck, copy: URL? = nil) {
        self.check = check
        self.copy = copy
    }

    /// Repairs the store or its copy, and checks the result; calls `report` with each finding that is repaired.
    ///
    /// - Throws: `InspectionError` for a store that is damaged as a file, in use, or read-only; the store is then
    ///   unchanged.
    package func run(_ report: @escaping (StoreFinding) -> Void) throws -> RepairedStore {
        let before = try check.run()
        try requireWholeFile(before)
        guard before.findings.repairable > 0 else {
            if let copy { try copyStore(to: copy) }
            return RepairedStore(url: copy ?? check.url, check: before)
        }
        let place = try copy ?? freePlace()
        if copy == nil { try backUp(to: place) } else { try copyStore(to: place) }
        let url = copy ?? check.url
        let (count, remarks) = try repair(url, report)
        var target = StoreCheck(url, model: check.model)
        target.limit = check.limit
        target.grace = check.grace
        return RepairedStore(
            url: url, backup: copy == nil ? place : nil, count: count, remarks: remarks,
            check: try target.run())
    }

    /// Repairs the store at a URL in place; returns the number of repaired findings and the remarks of the result.
    private func repair(_ url: URL, _ report: @escaping (StoreFinding) -> Void) throws -> (
        count: Int, remarks: [String]
    ) {
        guard StoreFileKind.type(of: url) == .sqlite else {
            return (try WholeFileRepair(url, check: check, report).run(), [])
        }
        var work = try RepairWork(url, check: check, report)
        try work.run()
        return (work.count, work.remarks)
    }

    private func requireWholeFile(_ report: StoreCheckReport) throws {
        let fatal: [StoreFinding.Kind] = [.damagedFile, .foreignLog, .badMetadata]
        guard let kind = fatal.first(where: { report.findings.counts[$0] != nil }) else { return }
        throw InspectionError(
            .unreadable, subject: check.url.path,
            cause: "it is not repaired, as the file itself is at fault (\(kind.rawValue))",
            hint: kind == .foreignLog
                ? "take the -wal away, then check again"
                : StoreFileKind.type(of: check.url) == .sqlite
                    ? "'coredata recover' saves what can be read" : "repair the file at the place that is named")
    }

    /// Copies the store to a place beside it under a temporary name first. If the process is killed meanwhile, the next
    /// opening of the store removes the incomplete copy.
    private func backUp(to place: URL) throws {
        let type = StoreFileKind.type(of: check.url)
        guard let storeClass = NSPersistentStoreCoordinator.registeredStoreTypes[type.rawValue] else {
            return try copyStore(to: place)
        }
        let temporary = TemporaryStore(ofBackup: place, of: check.url, storeClass: storeClass)
        do {
            try copyStore(to: temporary.url)
            try temporary.publish()
        } catch {
            temporary.discard()
            throw InspectionError.unreadable(place, error)
        }
    }

    private func copyStore(to place: URL) throws {
        let type = StoreFileKind.type(of: check.url)
        guard type == .sqlite else { return try StoreFileCopy(of: StoreFacts(at: check.url), at: place).run() }
        do {
            try RawStore(at: check.url).copy(to: place)
        } catch {
            throw InspectionError.unreadable(place, error)
        }
    }

    /// An unused URL for the backup beside the store: `Books.before-repair.sqlite`, else
    /// `Books.before-repair-2.sqlite`, etc.
    private func freePlace() throws -> URL {
        let base = check.url.deletingPathExtension().lastPathComponent
        let ending = check.url.pathExtension.isEmpty ? "" : "." + check.url.pathExtension
        for number in 1...1_000 {
            let name = "\(base).before-repair" + (number == 1 ? "" : "-\(number)") + ending
            let place = check.url.deletingLastPathComponent().appendingPathComponent(name)
            var status = stat()
            if lstat(place.path, &status) != 0, errno == ENOENT { return place }
        }
        throw InspectionError(
            .unreadable, subject: check.url.path, cause: "there is no free name for a backup beside it")
    }
}
