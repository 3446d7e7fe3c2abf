import CoreDataSQL
import SQLiteKit

extension RawStore {
    /// Copies the present state of the store, with the contents of its log and the files that its rows name.
    ///
    /// Damaged values are copied unchanged; a file of a large value that cannot be read is left out.
    /// - Throws: `NSPersistentStoreOpenError` if something exists at the destination, or it cannot be written.
    package func copy(to destination: URL) throws {
        let placement = FilePlacement(url: destination)
        try placement.withTemporaryFile { temporary in
            try reading { try connection.backUp(toNewFile: temporary) }
            let names = (try? ExternalFiles.names(in: connection)) ?? []
            guard !FileManager.default.fileExists(atPath: destination.path) else {
                throw StoreErrors.unusable(
                    destination, "a file of this name exists already", hint: "Choose another name, or remove it first.")
            }
            try Self.copyFiles(names, from: url, to: destination)
            guard try placement.publish(temporary) else {
                ExternalFiles.remove(names, of: destination)
                throw StoreErrors.unusable(
                    destination, "a file of this name exists already", hint: "Choose another name, or remove it first.")
            }
        }
    }

    /// Copies the files that the rows of this store refer to from the folder of another store; missing ones are
    /// skipped.
    package func copyLargeValues(from source: URL) throws {
        try Self.copyFiles(try reading { try ExternalFiles.names(in: connection) }, from: source, to: url)
    }

    private static func copyFiles(_ names: Set<String>, from source: URL, to destination: URL) throws {
        guard !names.isEmpty, let folder = try? ExternalFolder(store: source, makesFolders: false) else { return }
        do {
            let target = try ExternalFolder(store: destination, makesFolders: true)
            for name in names.sorted() where folder.has(name) {
                if try target.clone(name, of: folder) { continue }
                guard (try? folder.openFile(name, limit: ExternalData.greatestSize)) != nil else { continue }
                try target.put(name, of: folder)
            }
        } catch let error as ExternalDataError {
            ExternalFiles.remove(names, of: destination)
            throw error.cocoaError(writingBeside: destination)
        }
    }
}
