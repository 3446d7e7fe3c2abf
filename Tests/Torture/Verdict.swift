import CoreData
import SQLiteKit

/// What the stores of a folder hold, and what checks find wrong with them.
struct Verdict: Equatable {
    /// The content of every store, as text that does not depend on keys.
    let content: [String]
    /// What is wrong with a store that can be read.
    let faults: [String]

    /// Reads and checks every store of a folder; `models` are the versions that they may be of.
    init(_ folder: URL, models: [NSManagedObjectModel]) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        var (content, faults): ([String], [String]) = ([], [])
        for name in names where name.hasSuffix(".sqlite") {
            let url = folder.appendingPathComponent(name)
            content.append("store \(name)")
            do {
                content += try Self.content(url, models)
            } catch let error as NSError {
                content.append("refused with \(error.domain) \(error.code): \(error.localizedDescription.suffix(150))")
            }
            faults += try Self.faults(url).map { "\(name): \($0)" }
        }
        (self.content, self.faults) = (content, faults)
    }

    /// The checks that every store must pass, whatever happened to it: a further one is added here.
    private static func faults(_ url: URL) throws -> [String] {
        let size = (try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int) ?? 0
        guard size > 0 else { return [] }
        let connection = try Connection.open(url.path)
        defer { connection.close() }
        return try connection.integrityFaults(limit: 5)
    }

    private static func content(_ url: URL, _ models: [NSManagedObjectModel]) throws -> [String] {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: nil)
        guard
            let index = models.firstIndex(where: {
                $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
            })
        else { return ["of no version"] }
        var lines = ["version \(index)", "note \(metadata["note"] ?? "none")"]
        let scene = try Scene(url, models[index])
        defer { scene.close() }
        lines += try scene.lines()
        lines.append("\(try Self.transactions(url)) transactions")
        return lines
    }

    /// The number of transactions in the history; nil in a store without one.
    private static func transactions(_ url: URL) throws -> String {
        let connection = try Connection.open(url.path)
        defer { connection.close() }
        guard try connection.catalog().table("ATRANSACTION") != nil else { return "no" }
        return try connection.value("SELECT count(*) FROM ATRANSACTION")?.integer.map(String.init) ?? "unknown"
    }
}
