import CoreDataGraph
import SQLiteKit
import TestBasics

/// Opens damaged copies of one sound store and compares what they give with what the sound one gives.
///
/// It runs in the process of the trials. Differences are explained where `explain` says so; for stores in SQLite's format that
/// are the values of the very row whose bytes were changed.
public struct DamageTrials {
    private let bytes: Data
    private let model: NSManagedObjectModel
    private let kind: StoreKind
    private let sound: StoreOutline
    private let explain: (FileDamage, [String]) -> Bool
    private let folder: TemporaryFolder
    private let isSQLite: Bool

    /// What a sound store could not be used for.
    public enum Failure: Error, CustomStringConvertible {
        case unsteady([String])

        public var description: String {
            switch self {
            case .unsteady(let differences): "The sound store reads otherwise the second time: \(differences)"
            }
        }
    }

    /// Reads a sound store in a file; one in SQLite's format must not have a log beside it.
    ///
    /// Without `explain`, changes of rows in SQLite's format are explained, and nothing of other kinds is.
    public init(
        of store: URL, model: NSManagedObjectModel, kind: StoreKind = .sqlite,
        explain: ((FileDamage, [String]) -> Bool)? = nil
    ) throws {
        (self.model, self.kind) = (model, kind)
        folder = try TemporaryFolder()
        bytes = try Data(contentsOf: store)
        let place = folder.url.appendingPathComponent("Store")
        try bytes.write(to: place)
        sound = try StoreOutline(of: place, model: model, kind: kind)
        let differences = try StoreOutline(of: place, model: model, kind: kind).differences(from: sound)
        guard differences.isEmpty else { throw Failure.unsteady(differences) }
        isSQLite = bytes.starts(with: Data("SQLite format 3".utf8))
        if let explain {
            self.explain = explain
        } else if isSQLite {
            let map = try RowMap(of: place, bytes: bytes)
            self.explain = { map.explains($0, $1, in: model) }
        } else {
            self.explain = { _, _ in false }
        }
    }

    /// How long the sound file is.
    public var length: Int { bytes.count }

    /// Opens a copy with the damage, reads all, with `writes` saves an object, and judges.
    public func trial(_ damage: FileDamage, writes: Bool = false) throws -> TrialReport {
        let place = folder.url.appendingPathComponent("Damaged")
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: place.path + suffix)
        }
        let damaged = damage.applied(to: bytes)
        try damaged.write(to: place)
        let outline: StoreOutline
        do {
            outline = try StoreOutline(of: place, model: model, kind: kind, writes: writes)
        } catch let error as NSError {
            let isClear = error.isClearRefusal || (!isSQLite && !error.localizedDescription.isEmpty)
            return TrialReport(isClear ? .refused : .unclear, isClear ? "" : "\(damage): \(error)")
        }
        let differences = outline.differences(from: sound)
        guard !differences.isEmpty else {
            return TrialReport(outline.reports == sound.reports ? .same : .reported)
        }
        guard outline.reports.isSubset(of: sound.reports) else { return TrialReport(.reported) }
        if explain(damage, differences) { return TrialReport(.explained) }
        let faults = isSQLite ? try faults(of: damaged) : []
        let detail = "\(damage): \(differences.count) differences, such as \(differences.prefix(4))"
        return TrialReport(faults.isEmpty ? .silent : .checked, detail)
    }

    /// The findings of SQLite's check of the complete file; a file that it cannot check is a fault of its own.
    private func faults(of damaged: Data) throws -> [String] {
        let place = folder.url.appendingPathComponent("Checked")
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: place.path + suffix) }
        try damaged.write(to: place)
        do {
            let connection = try Connection.open(place.path)
            defer { connection.close() }
            return try connection.integrityFaults(limit: 3)
        } catch {
            return ["\(error)"]
        }
    }
}
