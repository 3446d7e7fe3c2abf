import CoreData
import Foundation

extension MPMediaLibrary {
    /// Reads a folder into the library: new files become items, and rows of known ones follow them.
    ///
    /// Files that have size, time and number of the last scan are not opened. Items are saved in batches, so that what a cancelled scan
    /// has read stays. Links are followed; hidden files, folders marked as caches and the store's own files are left out.
    ///
    /// - Parameters:
    ///   - folder: A folder of the user's files, at any depth.
    ///   - progress: Counts the files that are read; cancelling it ends the scan.
    /// - Returns: What was found.
    /// - Throws: ``MediaLibraryError`` for a folder that cannot be read; `CancellationError`; errors of the store.
    public func scan(_ folder: URL, progress: Progress? = nil) async throws -> MediaScanReport {
        let progress = progress ?? Progress(totalUnitCount: 0)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(with: Result { try self.scanAndWait(folder, progress: progress) })
                }
            }
        } onCancel: {
            progress.cancel()
        }
    }

    /// As ``scan(_:progress:)``, on the calling thread, which must not be one of Swift's concurrency.
    public func scanAndWait(_ folder: URL, progress: Progress? = nil) throws -> MediaScanReport {
        try scanWithFolders(folder, progress: progress).report
    }

    func scanWithFolders(_ folder: URL, progress: Progress?) throws -> (report: MediaScanReport, folders: [BytePath]) {
        scanning.lock()
        defer { scanning.unlock() }
        let start = DispatchTime.now()
        let root = try Self.resolved(folder)
        var scan = MediaScan(library: self, root: root, progress: progress)
        do { try scan.run() } catch {
            if scan.report.hasChanges { changed() }
            throw error
        }
        scan.report.seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
        if scan.report.hasChanges { changed() }
        return (scan.report, scan.folders)
    }

    /// The path without links, so that a folder is the same by each of its names.
    private static func resolved(_ folder: URL) throws -> BytePath {
        guard let path = realpath(folder.path, nil) else {
            throw MediaLibraryError(
                .folderUnavailable, "The folder '\(folder.path)' cannot be read: \(String(cString: strerror(errno)))",
                hint: "check that it is there and may be read, and scan again")
        }
        defer { free(path) }
        return BytePath(Array(UnsafeBufferPointer(start: path, count: strlen(path))).map { UInt8(bitPattern: $0) })
    }

    /// The store's own paths, which are never items.
    var ownPaths: Set<BytePath> {
        guard let storeURL, let path = realpath(storeURL.path, nil) else { return [] }
        defer { free(path) }
        let store = String(cString: path)
        let name = URL(fileURLWithPath: store).deletingPathExtension().lastPathComponent
        let support = URL(fileURLWithPath: store).deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT")
        return Set(([store, "\(store)-wal", "\(store)-shm", support.path]).map { BytePath($0) })
    }
}
