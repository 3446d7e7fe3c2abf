import CoreDataGraph
import SQLiteKit
import TestBasics

/// Opens damaged copies of an intact store and compares their objects with those of the intact store.
///
/// Use it in the process that runs the trials. `explain` decides whether differences count as explained; by default,
/// for SQLite files, if they are in the row whose bytes were changed.
public struct DamageTrials {
    private let bytes: Data
    private let model: NSManagedObjectModel
    private let kind: StoreKind
    private let sound: StoreOutline
    private let explain: (FileDamage, [String]) -> Bool
    private let folder: TemporaryFolder
    private let isSQLite: Bool

    /// Why an intact store cannot be used for trials.
    public enum Failure: Error, CustomStringConvertible {
        case unsteady([String])

        public var description: String {
            switch self {
            case .unsteady(let differences): "The sound store reads otherwise the second time: \(differences)"
            }
        }
    }

    /// Reads an intact store in a file; an SQLite file must not have a WAL file.
    ///
    /// Without `explain`, differences in the changed row of an SQLite file are explained, and none in other files.
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

    /// The size of the intact file in bytes.
    public var length: Int { bytes.count }

    /// Opens a damaged copy, reads all objects, saves a new object if `writes` is true, and reports the outcome.
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

    /// The findings of SQLite's integrity check of the file; if the check cannot run, its error is a finding.
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
