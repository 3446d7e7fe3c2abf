import CoreDataSQL
import SQLiteKit

extension RawStore {
    /// The rows, bytes and time of reading some rows and writing them to another file.
    package struct RowSample {
        package let rows: Int
        package let bytes: Int
        package let seconds: Double
    }

    /// The maximum duration; it suffices for only a few rows with large values, but these suffice for an estimate.
    private static var longestSample: Duration { .milliseconds(500) }

    /// Copies the first rows of the largest table to a temporary database, which is removed afterwards.
    ///
    /// - Returns: nil for a store without rows.
    package func sampleLargestTable(rows limit: Int) throws -> RowSample? {
        let counts = try tables.filter { $0.hasPrefix("Z") && !$0.hasPrefix("Z_") }.map { ($0, try rowCount(of: $0)) }
        guard let (table, count) = counts.max(by: { $0.1 < $1.1 }), count > 0 else { return nil }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // If removing fails, the system clears the temporary folder.
        defer { try? FileManager.default.removeItem(at: folder) }
        return try reading {
            try sample(table, limit: min(limit, count), path: folder.appendingPathComponent("sample").path)
        }
    }

    private func sample(_ table: String, limit: Int, path: String) throws -> RowSample {
        let columns = columns(of: table).map(SQLIdentifier.quoted)
        let names = columns.joined(separator: ", ")
        let copy = try Connection.open(path, OpenOptions(mode: .create))
        defer { copy.close() }
        try copy.execute("CREATE TABLE sample (\(names))")
        let start = ContinuousClock.now
        let source = try connection.prepare("SELECT \(names) FROM \(SQLIdentifier.quoted(table)) LIMIT \(limit)")
        let target = try copy.prepare(
            "INSERT INTO sample VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))")
        let rows = try copy.transaction(.immediate) {
            var rows = 0
            while try start.duration(to: .now) < Self.longestSample && source.step() {
                try target.bind(source.values())
                try target.run()
                target.reset()
                rows += 1
            }
            return rows
        }
        let time = start.duration(to: .now) / .seconds(1)
        return RowSample(rows: rows, bytes: FileAccess.size(path), seconds: time)
    }
}
