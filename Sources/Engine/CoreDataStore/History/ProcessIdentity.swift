import CoreDataModeling

/// The process information that a history transaction records.
package enum ProcessIdentity {
    /// The bundle identifier; nil for a program without one. Stored, since Foundation reads the bundle's property list
    /// for it.
    package static let bundleID = Bundle.main.bundleIdentifier

    package static var name: String { ProcessInfo.processInfo.processName }
}
