import CoreDataGraph
import Synchronization

/// The finished units of a run, in a file with a line of JSON for each.
final class TrialRecord: Sendable {
    private struct Entry: Codable {
        let unit: String
        let counts: TrialCounts
    }

    private let url: URL
    private let known: [String: TrialCounts]
    /// Guards the file.
    private let lock = Mutex(())

    /// Opens the record at a URL, an empty one if it does not exist; a truncated line counts as not written.
    init(_ url: URL) throws {
        self.url = url
        let text = FileManager.default.fileExists(atPath: url.path) ? try String(contentsOf: url, encoding: .utf8) : ""
        let entries = text.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(Entry.self, from: Data($0.utf8))
        }
        known = Dictionary(entries.map { ($0.unit, $0.counts) }) { $1 }
        guard text.isEmpty || !text.hasSuffix("\n") else { return }
        try Data((text.isEmpty ? "" : text + "\n").utf8).write(to: url)
    }

    /// The counts of a finished unit; nil for other units.
    func counts(of unit: TrialUnit) -> TrialCounts? { known[unit.name] }

    /// Records a finished unit.
    func add(_ unit: TrialUnit, _ counts: TrialCounts) throws {
        let line = try JSONEncoder().encode(Entry(unit: unit.name, counts: counts)) + Data("\n".utf8)
        try lock.withLock { _ in
            let handle = try FileHandle(forWritingTo: url)
            defer { try? handle.close() }
            try handle.seekToEnd()
            try handle.write(contentsOf: line)
        }
    }
}
