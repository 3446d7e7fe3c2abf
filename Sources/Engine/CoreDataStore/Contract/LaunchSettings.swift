import CoreDataModeling
import Synchronization

/// The switches with which a program was started: environment variables, launch arguments and user defaults.
package enum LaunchSettings {
    /// Whether `text(_:)` reads launch arguments and user defaults in addition to the environment.
    ///
    /// A command-line tool, which has arguments of its own, sets it to false: reading user defaults takes longer than
    /// reading a small store.
    package static let includesUserDefaults = Atomic(true)

    /// The value of a switch: its environment variable, otherwise its launch argument or user default; nil if none is
    /// set.
    package static func text(_ name: String) -> String? {
        if let value = getenv(name) { return String(cString: value) }
        guard includesUserDefaults.load(ordering: .relaxed) else { return nil }
        return UserDefaults.standard.string(forKey: name)
    }
}
