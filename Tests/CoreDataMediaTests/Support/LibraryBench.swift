import CoreDataMedia
import Foundation
import TestBasics

/// A library over a folder of a test's own.
struct LibraryBench {
    let temporary: TemporaryFolder
    let folder: URL
    let library: MPMediaLibrary

    init() throws {
        temporary = try TemporaryFolder()
        folder = temporary.url.appendingPathComponent("Music")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        library = try MPMediaLibrary(storeURL: temporary.url.appendingPathComponent("Library.sqlite"))
    }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    @discardableResult
    func scan() throws -> MediaScanReport { try library.scanAndWait(folder) }

    /// The values of all rows of items by the name of the path.
    func rows(_ entity: String = "MediaItem") throws -> [String: [String: Any]] {
        let context = library.newBackgroundContext()
        return try context.performAndWait {
            var rows: [String: [String: Any]] = [:]
            for row in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)) {
                var values = row.dictionaryWithValues(forKeys: Array(row.entity.attributesByName.keys)).filter {
                    !($0.value is NSNull)
                }
                values["#artwork"] =
                    row.entity.relationshipsByName["artwork"] == nil
                    ? nil : (row.value(forKey: "artwork") as? NSManagedObject)?.value(forKey: "image")
                values["#lists"] = (row.entity.relationshipsByName["tags"] == nil ? nil : row.value(forKey: "tags"))
                    .flatMap { $0 as? Set<NSManagedObject> }.map { tags in
                        tags.map {
                            "\($0.value(forKey: "name") ?? "")\($0.value(forKey: "position") ?? 0)=\($0.value(forKey: "value") ?? "")"
                        }
                        .sorted()
                    }
                rows[values["path"] as? String ?? "?"] = values
            }
            return rows
        }
    }

    func id(_ path: String) throws -> Int64? { try rows()[path]?["persistentID"] as? Int64 }
}
