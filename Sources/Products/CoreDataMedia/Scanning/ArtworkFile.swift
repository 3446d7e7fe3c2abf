import CoreData
import CoreDataModeling
import Foundation
import ProgramKit
import UniformTypeIdentifiers

/// A picture that is embedded in a file.
struct ArtworkFile: Sendable {
    let data: Data
    let mimeType: String
    let hash: String

    private static let greatestSize = 16 << 20
    /// What one run reads at most: the pictures lie in a temporary folder together.
    private static let (batch, batchSize) = (400, 128 << 20)

    init?(_ data: Data) {
        guard !data.isEmpty, data.count <= Self.greatestSize, let type = UTType(recognizing: data),
            type.conforms(to: .image)
        else { return nil }
        (self.data, mimeType) = (data, type.preferredMIMEType ?? "application/octet-stream")
        hash = SHA2.sha256(data).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The first picture of each file; nil for files without one, or with one that is no picture.
    ///
    /// - Parameter files: The files, with the bytes of their pictures, 0 where they are not known.
    static func read(_ files: [(path: BytePath, size: Int)]) throws -> [ArtworkFile?] {
        var pictures: [ArtworkFile?] = []
        var (batch, size) = ([BytePath](), 0)
        for file in files {
            let own = file.size > 0 ? min(file.size, greatestSize) : greatestSize
            if batch.count == self.batch || size + own > batchSize {
                pictures += try readBatch(batch)
                (batch, size) = ([], 0)
            }
            batch.append(file.path)
            size += own
        }
        return batch.isEmpty ? pictures : try pictures + readBatch(batch)
    }

    private static func readBatch(_ files: [BytePath]) throws -> [ArtworkFile?] {
        let links = try ToolLinks(files)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "coredata-covers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let limits = ProgramLimits(
            seconds: 10 + 0.2 * Double(files.count), processorSeconds: 10 + files.count / 5, fileSize: greatestSize)
        // Files are written one by one, so that those of a run that was ended are there but for the last.
        _ = try? ExifToolTags.program.run(
            ["-b", "-m", "-q", "-q", "-Picture", "-CoverArt", "-W", "\(folder.path)/%f.%t.bin", "-@", "-"],
            input: Data((links.paths.joined(separator: "\n") + "\n").utf8), limits: limits)
        return files.indices.map { index in
            for tag in ["Picture", "CoverArt"] {
                let url = folder.appendingPathComponent("\(index).\(tag).bin")
                if let data = try? Data(contentsOf: url), let picture = ArtworkFile(data) { return picture }
            }
            return nil
        }
    }
}

/// The rows of pictures, one for all items that have the same picture.
struct ArtworkRows {
    private let context: NSManagedObjectContext
    private var rows: [String: NSManagedObject] = [:]

    init(_ context: NSManagedObjectContext) { self.context = context }

    mutating func set(_ artwork: ArtworkFile?, of item: NSManagedObject) throws {
        guard let artwork else {
            if item.value(forKey: "artwork") != nil { item.setValue(nil, forKey: "artwork") }
            return
        }
        let row = try rows[artwork.hash] ?? existing(artwork.hash) ?? insert(artwork)
        rows[artwork.hash] = row
        item.setValue(row, forKey: "artwork")
    }

    private func existing(_ hash: String) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: MediaModel.artwork)
        request.predicate = NSPredicate(format: "contentHash == %@", hash)
        request.fetchLimit = 1
        return try context.fetch(request).first
    }

    private func insert(_ artwork: ArtworkFile) -> NSManagedObject {
        let row = NSEntityDescription.insertNewObject(forEntityName: MediaModel.artwork, into: context)
        row.setValue(artwork.hash, forKey: "contentHash")
        row.setValue(artwork.mimeType, forKey: "mimeType")
        row.setValue(artwork.data, forKey: "image")
        return row
    }
}
