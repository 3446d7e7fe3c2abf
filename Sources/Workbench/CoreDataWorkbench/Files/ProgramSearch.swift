import CoreData

/// Finds programs by their names, as a shell does.
package enum ProgramSearch {
    /// The folders of `PATH`; those that depend on where one stands are left out.
    package static var folders: [URL] { folders(in: ProcessInfo.processInfo.environment["PATH"] ?? "") }

    /// The folders of a `PATH`; those that depend on where one stands are left out.
    package static func folders(in path: String) -> [URL] {
        path.split(separator: ":").filter { $0.hasPrefix("/") }.map { URL(fileURLWithPath: String($0)) }
    }

    /// Where this program is, in which a build puts others, and where an installation has those that it runs.
    package static var ownFolders: [URL] {
        let own = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
            .resolvingSymlinksInPath()
        let folder = own.deletingLastPathComponent()
        return [folder, folder.deletingLastPathComponent().appendingPathComponent("libexec/coredata")]
    }

    /// The first program of a name in folders, in those of `PATH` unless others are given.
    package static func find(_ name: String, in folders: [URL]? = nil) -> URL? {
        (folders ?? Self.folders).map { $0.appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
