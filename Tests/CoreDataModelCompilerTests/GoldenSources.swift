import CoreDataModelCompiler
import CoreDataModeling
import Foundation

/// The model of the golden sources, and those sources, which lie beside it with `.txt` behind their names.
enum GoldenSources {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")

    static func model() throws -> NSManagedObjectModel {
        try NSManagedObjectModel(reading: folder.appendingPathComponent("Heroes.xcdatamodeld"))
    }

    /// The sources of a kind by their names.
    static func files(_ kind: String) throws -> [String: String] {
        let kindFolder = folder.appendingPathComponent(kind)
        var files: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: kindFolder.path) where name.hasSuffix(".txt") {
            files[String(name.dropLast(4))] = try String(
                contentsOf: kindFolder.appendingPathComponent(name), encoding: .utf8)
        }
        return files
    }

    /// A model of one entity from what is between its tags.
    static func model(entity: String = "<entity name=\"A\" representedClassName=\"A\">", _ content: String) throws
        -> NSManagedObjectModel
    {
        try NSManagedObjectModel(source: Data("<model>\(entity)\(content)</entity></model>".utf8))
    }
}
