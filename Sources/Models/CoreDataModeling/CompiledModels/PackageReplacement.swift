import CoreDataFoundation

/// Writes a folder of files, and replaces an existing one.
///
/// The folder is completed under a temporary name beside its place and then renamed, so that it is never incomplete
/// under its own name. An existing folder is renamed first, since a rename cannot replace a folder that is not empty,
/// and gets its name back if the second rename fails.
struct PackageReplacement {
    let url: URL

    func write(_ files: [String: Data]) throws {
        let isThere = try checkPlace()
        let temporary = url.deletingLastPathComponent()
            .appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString).draft")
        defer { try? FileManager.default.removeItem(at: temporary) }
        do {
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
            for (name, data) in files { try data.write(to: temporary.appendingPathComponent(name)) }
        } catch {
            throw ModelingError(.unreadable, "it cannot be written: \(error.localizedDescription)")
        }
        for name in files.keys { synchronize(temporary.appendingPathComponent(name)) }
        try publish(temporary, inPlaceOfOther: isThere)
        synchronize(url.deletingLastPathComponent())
    }

    /// Whether there is a folder to replace; throws for anything but a compiled model or an empty folder.
    private func checkPlace() throws -> Bool {
        guard BoundedFile.exists(url) else { return false }
        let names = BoundedFile.names(in: url)
        let isModel = names.contains("VersionInfo.plist") || names.contains { $0.hasSuffix(".mom") }
        guard BoundedFile.isDirectory(url), isModel || names.isEmpty else {
            throw ModelingError(
                .invalidModel, "there is something else than a compiled model", hint: "choose another name")
        }
        return true
    }

    private func publish(_ temporary: URL, inPlaceOfOther isThere: Bool) throws {
        guard isThere else { return try move(temporary, to: url) }
        let aside = temporary.appendingPathExtension("old")
        try move(url, to: aside)
        do {
            try move(temporary, to: url)
        } catch {
            try? move(aside, to: url)
            throw error
        }
        try? FileManager.default.removeItem(at: aside)
    }

    private func move(_ source: URL, to target: URL) throws {
        guard rename(source.path, target.path) == 0 else {
            throw ModelingError(.unreadable, "it cannot be given its name: \(String(cString: strerror(errno)))")
        }
    }

    private func synchronize(_ file: URL) {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
