import CoreData
import CoreDataPictures
import CoreDataPlaces
import Foundation
import UniformTypeIdentifiers

/// What a scan found.
public struct PhotoScanReport: Sendable, Hashable {
    /// Files that were not known.
    public var added = 0
    /// Files with other content than before.
    public var changed = 0
    /// Files that are elsewhere, with the content of one that is gone.
    public var moved = 0
    /// Files that are gone; their assets stay.
    public var missing = 0
    /// Why dates, places and cameras were not read; nil where they were.
    public var problem: PictureFileError?

    /// Makes a report of nothing.
    public init() {}
}

extension PHPhotoLibrary {
    /// What is known of a file.
    private struct Known {
        let id: NSManagedObjectID
        let path: String
        let digest: String
        let size: Int
        let time: Date
        let isAvailable: Bool
    }

    /// How many new files are read at a time.
    private static let together = 4

    /// Looks for files that are new, changed, moved or gone. Files whose size and time are as before are not read.
    ///
    /// Identifiers, albums and what a person changed stay with an asset when its file is moved, renamed or changed.
    ///
    /// - Throws: ``PhotoLibraryError``; `CancellationError`, and then nothing is changed.
    public func scan() async throws -> PhotoScanReport {
        try requireWriting()
        let listing = try FolderListing(folder)
        let known = try reading { try self.known($0) }
        let byPath = Dictionary(known.map { ($0.path, $0) }) { first, _ in first }
        let unread = listing.files.filter { file in
            guard let known = byPath[file.path] else { return true }
            return known.size != file.size || abs(known.time.timeIntervalSince(file.time)) > 0.001
        }
        var report = PhotoScanReport()
        let found = try await read(unread, &report)
        let there = Set(listing.files.map(\.path))
        let change = try await writer.perform { [report] in
            var report = report
            let change = try self.change {
                // Another scan may have come before.
                self.apply(found, try self.known(self.writer), there, &report)
            }
            return (change, report)
        }
        if let change = change.0 { notify(change) }
        return change.1
    }

    private func known(_ reader: NSManagedObjectContext) throws -> [Known] {
        let request = NSFetchRequest<NSManagedObject>(entityName: PhotoModel.asset)
        return try reader.fetch(request).map { object in
            Known(
                id: object.objectID, path: object.value(forKey: "path") as? String ?? "",
                digest: object.value(forKey: "digest") as? String ?? "",
                size: object.value(forKey: "fileSize") as? Int ?? -1,
                time: object.value(forKey: "fileTime") as? Date ?? .distantPast,
                isAvailable: object.value(forKey: "isAvailable") as? Bool ?? false)
        }
    }

    /// Reads files, some at a time, and their details by few processes.
    private func read(_ files: [FolderListing.File], _ report: inout PhotoScanReport) async throws -> [ScannedFile] {
        let folder = folder
        var found = try await withThrowingTaskGroup(of: ScannedFile?.self) { group in
            var found: [ScannedFile] = []
            var rest = files.makeIterator()
            for _ in 0..<Self.together {
                if let file = rest.next() { group.addTask { await ScannedFile(file, in: folder) } }
            }
            while let one = try await group.next() {
                try Task.checkCancellation()
                if let one { found.append(one) }
                if let file = rest.next() { group.addTask { await ScannedFile(file, in: folder) } }
            }
            return found
        }
        guard !found.isEmpty else { return found }
        do {
            let urls = found.map { folder.appendingPathComponent($0.path) }
            let details = try await PictureDetailsReader().details(of: urls)
            for index in found.indices { found[index].details = details[urls[index]] ?? PictureDetails() }
        } catch let error as PictureFileError {
            // Without dates and places there is a library all the same.
            report.problem = error
        }
        return found.sorted { $0.path < $1.path }
    }

    /// Takes over what was found, on the queue of the context of changes.
    private func apply(
        _ found: [ScannedFile], _ known: [Known], _ there: Set<String>, _ report: inout PhotoScanReport
    ) {
        let byPath = Dictionary(known.map { ($0.path, $0) }) { first, _ in first }
        var gone: [String: [Known]] = Dictionary(grouping: known.filter { !there.contains($0.path) }, by: \.digest)
        for file in found {
            if let old = byPath[file.path] {
                report.changed += old.digest == file.digest ? 0 : 1
                fill(writer.object(with: old.id), file, isNew: old.digest != file.digest)
            } else if let old = gone[file.digest]?.popLast() {
                report.moved += 1
                fill(writer.object(with: old.id), file, isNew: false)
            } else {
                report.added += 1
                let object = NSEntityDescription.insertNewObject(forEntityName: PhotoModel.asset, into: writer)
                object.setValue(UUID().uuidString, forKey: "identifier")
                for key in ["isFavorite", "isHidden", "isDeletedAsset"] { object.setValue(false, forKey: key) }
                fill(object, file, isNew: true)
            }
        }
        for old in gone.values.joined() {
            report.missing += 1
            if old.isAvailable { writer.object(with: old.id).setValue(false, forKey: "isAvailable") }
        }
        // A file that came back unchanged at its place.
        let read = Set(found.map(\.path))
        for old in known where !old.isAvailable && there.contains(old.path) && !read.contains(old.path) {
            writer.object(with: old.id).setValue(true, forKey: "isAvailable")
        }
    }

    /// - Parameter isNew: Whether the content is; what a person changed of the same content stays.
    private func fill(_ object: NSManagedObject, _ file: ScannedFile, isNew: Bool) {
        object.setValue(file.path, forKey: "path")
        object.setValue(file.fileSize, forKey: "fileSize")
        object.setValue(file.fileTime, forKey: "fileTime")
        object.setValue(true, forKey: "isAvailable")
        guard isNew else { return }
        object.setValue(file.digest, forKey: "digest")
        object.setValue(file.type.identifier, forKey: "type")
        object.setValue(file.mediaType.rawValue, forKey: "mediaType")
        object.setValue(file.size?.width ?? 0, forKey: "pixelWidth")
        object.setValue(file.size?.height ?? 0, forKey: "pixelHeight")
        object.setValue(file.duration ?? 0, forKey: "duration")
        object.setValue(file.details.taken ?? file.fileTime, forKey: "creationDate")
        object.setValue(file.fileTime, forKey: "modificationDate")
        object.setValue(file.details.coordinate?.latitude, forKey: "latitude")
        object.setValue(file.details.coordinate?.longitude, forKey: "longitude")
        object.setValue(file.details.altitude, forKey: "altitude")
        object.setValue(file.details.camera, forKey: "camera")
    }
}
