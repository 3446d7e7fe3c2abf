import Foundation

/// Finds programs by their names, as a shell does.
package enum ProgramSearch {
    /// The folders of the environment's `PATH`; relative ones are left out.
    package static var folders: [URL] { folders(in: ProcessInfo.processInfo.environment["PATH"] ?? "") }

    /// The folders of a `PATH`; relative ones are left out.
    package static func folders(in path: String) -> [URL] {
        path.split(separator: ":").filter { $0.hasPrefix("/") }.map { URL(fileURLWithPath: String($0)) }
    }

    /// The folder of this program, where a build puts other programs too, and the folder where an installation puts
    /// programs that this one runs.
    package static var ownFolders: [URL] {
        let own = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
            .resolvingSymlinksInPath()
        let folder = own.deletingLastPathComponent()
        return [folder, folder.deletingLastPathComponent().appendingPathComponent("libexec/coredata")]
    }

    /// The first executable of a name in some folders; nil for the folders of `PATH`.
    package static func find(_ name: String, in folders: [URL]? = nil) -> URL? {
        (folders ?? Self.folders).map { $0.appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
