import CoreData
import SQLiteKit

/// Repairs what a check found, in a copy or in place after a backup, in one transaction of the file or with one new file.
///
/// Invariants:
/// 1. Until that transaction is committed the store is as it was, and so is a copy's source at any time.
/// 2. Whatever is dropped is reported before, line by line, and is in the backup or the source.
package struct StoreRepair {
    package let check: StoreCheck
    /// Where a copy is repaired; nil for the store itself.
    package var copy: URL?

    package init(_ check: StoreCheck, copy: URL? = nil) {
        self.check = check
        self.copy = copy
    }

    /// Repairs the store; `report` is called with each finding when it is repaired.
    ///
    /// - Throws: `InspectionError` for a store that is damaged as a file, in use, or only to be read; nothing is changed then.
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

    /// Repairs the store in place; returns how much was done, and what is to be reported of it.
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

    /// Copies the store to a place beside it; the next opening of the store removes what a killed process leaves of it.
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
        guard type == .sqlite else { return try StoreDuplicate(of: StoreFacts(at: check.url), at: place).run() }
        do {
            try RawStore(at: check.url).copy(to: place)
        } catch {
            throw InspectionError.unreadable(place, error)
        }
    }

    /// A name beside the store that is not in use: `Books.before-repair.sqlite`, then with numbers.
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
