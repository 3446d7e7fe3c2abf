import CoreDataModeling
import Synchronization

/// What a program was started with, for the switches that Apple's framework takes from arguments and user defaults.
package enum LaunchSettings {
    /// Whether arguments and user defaults are read beside the environment.
    ///
    /// A command-line tool, which has arguments of its own, turns it off: asking takes longer than reading a small store.
    package static let includesUserDefaults = Atomic(true)

    /// The text of a switch; nil where it is not set.
    package static func text(_ name: String) -> String? {
        if let value = getenv(name) { return String(cString: value) }
        guard includesUserDefaults.load(ordering: .relaxed) else { return nil }
        return UserDefaults.standard.string(forKey: name)
    }
}
