import Synchronization

/// The modules in which a class is looked for whose name comes without one.
package enum SearchedModules {
    private static let added = Mutex<[String]>([])

    /// Adds a module; one that is there already stays in its place.
    package static func add(_ module: String) {
        added.withLock { if !$0.contains(module) { $0.append(module) } }
    }

    /// The modules that were added, then the main executable's, which is named like its file.
    package static var all: [String] {
        let own = CommandLine.arguments.first?.split(separator: "/").last?.replacing("-", with: "_")
        return added.withLock { $0 } + (own.map { [String($0)] } ?? [])
    }
}
