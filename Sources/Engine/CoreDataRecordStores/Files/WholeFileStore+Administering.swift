import CoreDataStore

extension WholeFileStore {
    package static func destroyStore(at url: URL, options: [AnyHashable: Any]) throws {
        try run("be destroyed", url: url) {
            guard let mark = try FileMark.of(path: url.path, FileOperations()) else { return }
            guard mark.isRegular else {
                throw unusable(url, "it is no regular file", hint: "Give the path of a store's file.")
            }
            guard options[NSReadOnlyPersistentStoreOption] as? Bool != true else {
                throw unusable(url, "it is to be read only", hint: "Leave \(NSReadOnlyPersistentStoreOption) out.")
            }
            try FileOperations().call(.publish, path: url.path) { Int(unlink(url.path)) }
        }
    }

    package static func replaceStore(
        at destination: URL, options: [AnyHashable: Any], withStoreAt source: URL,
        options sourceOptions: [AnyHashable: Any]
    ) throws {
        try run("be replaced", url: destination) {
            // Reads the metadata first, so that a file that is not a store does not replace one.
            _ = try metadata(at: source)
            let former = try RecordFile.open(destination, FileOperations())
            if let former, !former.mark.isRegular {
                throw unusable(destination, "it is no regular file", hint: "Give the path of a store's file.")
            }
            try copy(source, to: former?.path ?? destination.path, replacing: former)
        }
    }

    package static func copyStore(at source: URL, to destination: URL) throws {
        try run("be copied", url: destination) { try copy(source, to: destination.path, replacing: nil) }
    }

    package static func publishStore(at temporary: URL, as url: URL) throws {
        try run("be given its name", url: url) {
            try FileOperations().call(.publish, path: url.path) { Int(link(temporary.path, url.path)) }
            unlink(temporary.path)
        }
    }

    package static func discardStore(at url: URL) { unlink(url.path) }

    private static func copy(_ source: URL, to place: String, replacing former: RecordFile?) throws {
        guard let file = try RecordFile.open(source, FileOperations()), file.mark.isRegular else {
            throw unusable(source, "there is no such file", hint: "Check the path.")
        }
        let temporary = try TemporaryFile(beside: place, mode: former?.mark.mode ?? file.mark.mode, FileOperations())
        let next = file.reader()
        while case let piece = try next(), !piece.isEmpty { try temporary.write(piece) }
        _ = try temporary.publish(as: place, replacing: former)
    }

    private static func run(_ action: String, url: URL, body: () throws -> Void) throws {
        do {
            try body()
        } catch let failure as FileFailure {
            throw failure.cocoaError(action, url)
        }
    }
}
