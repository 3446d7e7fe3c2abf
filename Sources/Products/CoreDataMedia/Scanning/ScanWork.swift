import CoreData
import Foundation

/// A file that a scan reads, and what it has read.
struct ScanWork: Sendable {
    let file: FoundFile
    /// The row that has the file's path; nil for a new file.
    let row: NSManagedObjectID?
    var facts = MediaFacts()
    /// Nil if the file cannot be opened.
    var hash: String?
    var artwork: ArtworkFile?

    init(file: FoundFile, row: NSManagedObjectID?) { (self.file, self.row) = (file, row) }

    /// Reads files of a folder.
    static func read(_ work: [ScanWork], in root: BytePath, _ reader: inout FactsReader) throws -> [ScanWork] {
        var work = work
        let paths = work.map { root.appending($0.file.path) }
        let facts = try reader.read(paths)
        for index in work.indices {
            work[index].facts = facts[index]
            work[index].hash = ContentHash.of(paths[index])
            if work[index].hash == nil {
                work[index].facts.problem = "The file cannot be opened; check its permissions"
            }
        }
        let covered = work.indices.filter { work[$0].facts.artworkSize != nil }
        let pictures = try ArtworkFile.read(covered.map { (paths[$0], work[$0].facts.artworkSize ?? 0) })
        for (index, picture) in zip(covered, pictures) { work[index].artwork = picture }
        return work
    }
}
