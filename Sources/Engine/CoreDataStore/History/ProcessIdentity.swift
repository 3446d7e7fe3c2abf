import CoreDataModeling

/// What a transaction of history says of the process that commits it.
package enum ProcessIdentity {
    /// The bundle's identifier; nil for a program without one. Foundation reads the bundle's description for it, so it is
    /// read once.
    package static let bundleID = Bundle.main.bundleIdentifier

    package static var name: String { ProcessInfo.processInfo.processName }
}
