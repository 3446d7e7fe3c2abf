import CoreData

/// Finds programs by their names, as a shell does.
package enum ProgramSearch {
    /// The folders of `PATH`; those that depend on where one stands are left out.
    package static var folders: [URL] {
        let names = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return names.filter { $0.hasPrefix("/") }.map { URL(fileURLWithPath: String($0)) }
    }

    /// The first program of a name in `PATH`.
    package static func find(_ name: String) -> URL? {
        folders.map { $0.appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
