import Synchronization

/// The modules in which a class is searched for if its name has no module.
package enum SearchedModules {
    private static let added = Mutex<[String]>([])

    /// Adds a module; one that was added before keeps its position.
    package static func add(_ module: String) {
        added.withLock { if !$0.contains(module) { $0.append(module) } }
    }

    /// The modules that were added, then that of the main executable, which has the name of its file.
    package static var all: [String] {
        let own = CommandLine.arguments.first?.split(separator: "/").last?.replacing("-", with: "_")
        return added.withLock { $0 } + (own.map { [String($0)] } ?? [])
    }
}
