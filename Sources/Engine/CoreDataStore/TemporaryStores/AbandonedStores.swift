import CoreDataModeling

/// Removes temporary files of a store that killed processes left behind.
package enum AbandonedStores {
    private static let greatestName = 1024

    /// Removes the temporary files of a store whose owners have ended, and the temporary files made for these in turn.
    ///
    /// Temporary files of running processes or of other stores stay, as do temporary files without an owner file.
    package static func remove(of store: URL) {
        guard store.isFileURL, MemoryPlace(store) == nil else { return }
        let resolved = store.resolvingSymlinksInPath()
        for place in resolved.path == store.path ? [store] : [store, resolved] {
            remove(of: place.lastPathComponent, in: place.deletingLastPathComponent().path)
        }
    }

    private static func remove(of store: String, in folder: String) {
        var owners = names(in: folder).filter { $0.hasSuffix(TemporaryStoreOwner.suffix) && identifier(of: $0) != nil }
        var wanted = [store]
        while !owners.isEmpty, let name = wanted.popLast() {
            owners.removeAll { owner in
                guard removeIfAbandoned(owner, of: name, in: folder) else { return false }
                wanted.append(String(owner.dropLast(TemporaryStoreOwner.suffix.count)))
                return true
            }
        }
    }

    /// Removes a temporary file and its owner file if the owner has ended and made it for `store`; returns whether it
    /// did.
    private static func removeIfAbandoned(_ owner: String, of store: String, in folder: String) -> Bool {
        let path = "\(folder)/\(owner)"
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, flock(file, LOCK_EX | LOCK_NB) == 0,
            fstat(file, &status) == 0, status.st_nlink > 0
        else { return false }
        var bytes = [UInt8](repeating: 0, count: greatestName)
        let count = pread(file, &bytes, bytes.count, 0)
        // An owner that was killed before it wrote the store's name had not yet created its temporary file.
        let parts = bytes[..<max(count, 0)].split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard count == 0 || count > 0 && parts[0].elementsEqual(store.utf8) else { return false }
        removeFiles(of: String(owner.dropLast(TemporaryStoreOwner.suffix.count)), in: folder)
        if parts.count > 1 {
            removeLargeValues(of: String(decoding: parts[1], as: UTF8.self), beside: store, in: folder)
        }
        unlink(path)
        return true
    }

    /// Removes the files of a temporary store: the file itself, SQLite's files beside it, and the folder of its large
    /// values.
    static func removeFiles(of temporary: String, in folder: String) {
        guard let identifier = identifier(of: temporary) else { return }
        for name in names(in: folder) where !name.hasSuffix(TemporaryStoreOwner.suffix) {
            let rest = name.drop { $0 == "." }
            guard rest.count < name.count, rest.hasPrefix(identifier + ".") || rest.hasPrefix(identifier + "_") else {
                continue
            }
            let path = "\(folder)/\(name)"
            // The only folder among them is that of large values; `removeItem` removes links within it without
            // following them.
            if unlink(path) != 0, errno == EISDIR || errno == EPERM {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }

    /// Removes the folder of large values of a temporary file whose owner was killed after it had moved the folder to
    /// its final name, and before it moved the file.
    ///
    /// - Parameter place: the final name of the temporary file, as read from the owner file; it must begin with the
    ///   store's name.
    private static func removeLargeValues(of place: String, beside store: String, in folder: String) {
        let (stem, own) = ((place as NSString).deletingPathExtension, (store as NSString).deletingPathExtension)
        guard stem.hasPrefix(own), stem != own, !place.contains("/"),
            !names(in: folder).contains(where: { ($0 as NSString).deletingPathExtension == stem })
        else { return }
        try? FileManager.default.removeItem(atPath: "\(folder)/.\(stem)_SUPPORT")
    }

    /// The UUID in the name of a temporary file; the names of all its files contain it.
    private static func identifier(of temporary: String) -> String? {
        guard temporary.first == ".", temporary.utf8.count > 37 else { return nil }
        let text = String(temporary.dropFirst().prefix(36))
        guard UUID(uuidString: text) != nil, temporary.dropFirst(37).first == "." else { return nil }
        return text
    }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
