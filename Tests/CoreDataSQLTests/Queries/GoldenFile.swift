import CoreDataFoundation
import CoreDataSQL
import SQLiteKit

/// The file that says what predicates become: text, bound values, plan and number of rows.
///
/// `CORE_DATA_RECORD_GOLDENS=1` writes it anew; look at the difference before you keep it.
struct GoldenFile {
    static let recordingVariable = "CORE_DATA_RECORD_GOLDENS"
    static var isRecording: Bool { ProcessInfo.processInfo.environment[recordingVariable] != nil }

    /// What one predicate becomes.
    struct Entry: Equatable {
        let title: String
        let lines: [String]
    }

    let url: URL
    /// The version of the database that made the plans.
    private(set) var version = ""
    private(set) var entries: [Entry] = []

    init(_ name: String, beside path: String = #filePath) throws {
        url = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("Golden/\(name).txt")
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return }
        let parts = text.components(separatedBy: "\n\n")
        version = parts[0]
        entries = parts.dropFirst().map { part in
            let lines = part.split(separator: "\n").map(String.init)
            return Entry(title: lines.first ?? "", lines: Array(lines.dropFirst()))
        }
    }

    /// Writes other entries.
    func record(_ entries: [Entry], version: String) throws {
        let parts = [version] + entries.map { ([$0.title] + $0.lines).joined(separator: "\n") }
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data((parts.joined(separator: "\n\n") + "\n").utf8).write(to: url)
    }

    /// How entries differ from those of the file, as lines to read; plans count where the database has the same version.
    func differences(from found: [Entry], version: String) -> [String] {
        let known = Dictionary(entries.map { ($0.title, $0.lines) }, uniquingKeysWith: { first, _ in first })
        let isPlain = { (line: String) in !line.hasPrefix("    plan ") }
        var result: [String] = []
        for entry in found {
            guard let expected = known[entry.title] else {
                result.append("+ \(entry.title)")
                continue
            }
            let isSame = version == self.version
            let (old, new) = isSame ? (expected, entry.lines) : (expected.filter(isPlain), entry.lines.filter(isPlain))
            guard old != new else { continue }
            result.append("  \(entry.title)")
            result += old.filter { !new.contains($0) }.map { "- " + $0 }
            result += new.filter { !old.contains($0) }.map { "+ " + $0 }
        }
        let titles = Set(found.map(\.title))
        return result + entries.filter { !titles.contains($0.title) }.map { "- \($0.title)" }
    }
}

extension QueryWorld {
    /// What a predicate becomes, and how many rows it finds.
    func goldenEntry(_ title: String, _ predicate: NSPredicate) throws -> GoldenFile.Entry {
        let compiled = try compiled(predicate)
        let values = compiled.parameters.map { Value($0) }
        let plan = try connection.rows("EXPLAIN QUERY PLAN " + compiled.sql, values).compactMap { $0.last?.text }
        let shown = compiled.parameters.prefix(8).map(Self.shown)
        let bound = shown.isEmpty ? [] : ["    with " + shown.joined(separator: ", ") + (values.count > 8 ? ", …" : "")]
        let rows = try keys(query("Person", predicate)).count
        return GoldenFile.Entry(
            title: title,
            lines: ["    " + compiled.sql.replacing("SELECT t0.Z_PK FROM ZPERSON t0", with: "…", maxReplacements: 1)]
                + bound + plan.map { "    plan " + $0 } + ["    rows \(rows)"])
    }

    private static func shown(_ parameter: SQLParameter) -> String {
        switch parameter {
        case .null: "NULL"
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .text(let text): "'\(text.prefix(60))'" + (text.count > 60 ? "…" : "")
        case .blob(let data): "x'" + data.prefix(20).map { String($0, radix: 16) }.joined(separator: " ") + "'"
        }
    }
}
